import type { TaskReport } from '../../domain/task/events.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { numberAt, textAt } from '../protocol/json.ts';

/** Longest text that is taken over from a provider, in characters; an event holds about 1 MB. */
const maxText = 16_384;
const maxData = 262_144;

const text = (owner: JsonObject, member: string): string => textAt(owner, member).slice(0, maxText);

/** Providers write times as numbers or as their text. */
const time = (owner: JsonObject, member: string): number => {
  const value = numberAt(owner, member) ?? Number(textAt(owner, member) || 0);
  return Number.isSafeInteger(Math.round(value)) && value > 0 ? Math.round(value) : 0;
};

const json = (value: unknown, max: number): string => {
  if (value === undefined || value === null) return '';
  const written = JSON.stringify(value);
  return written.length > max ? '' : written;
};

/** A report as providers of image tasks write it. */
export const drawingReport = (item: JsonObject): TaskReport => ({
  status: text(item, 'status'),
  progress: text(item, 'progress'),
  promptEn: text(item, 'promptEn'),
  description: text(item, 'description'),
  state: text(item, 'state'),
  submitTime: time(item, 'submitTime'),
  startTime: time(item, 'startTime'),
  finishTime: time(item, 'finishTime'),
  imageUrl: text(item, 'imageUrl'),
  failReason: text(item, 'failReason'),
  buttons: json(item.buttons, maxText),
  properties: json(item.properties, maxText),
  data: '',
});

/** Of music: providers report no progress, only the end. */
export const musicReport = (item: JsonObject): TaskReport => ({
  ...drawingReport({}),
  status: text(item, 'status'),
  submitTime: time(item, 'submit_time'),
  startTime: time(item, 'start_time'),
  finishTime: time(item, 'finish_time'),
  failReason: text(item, 'fail_reason'),
  data: json(item.data, maxData),
});
