import type { TaskReport } from '../../domain/task/events.ts';
import { numberAt, textAt } from '../providers/shared/json.ts';
import type { JsonObject } from '../providers/translate.ts';

/** Longest text that is taken over from a provider, in characters; an event holds about 1 MB. */
const longestText = 16_384;
const longestData = 262_144;

const text = (owner: JsonObject, member: string): string =>
  textAt(owner, member).slice(0, longestText);

/** Providers write times as numbers or as their text. */
const time = (owner: JsonObject, member: string): number => {
  const value = numberAt(owner, member) ?? Number(textAt(owner, member) || 0);
  return Number.isSafeInteger(Math.round(value)) && value > 0 ? Math.round(value) : 0;
};

const json = (value: unknown, most: number): string => {
  if (value === undefined || value === null) return '';
  const written = JSON.stringify(value);
  return written.length > most ? '' : written;
};

/** The object of section 2.5 of the task sheet, as providers of drawings write it. */
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
  buttons: json(item.buttons, longestText),
  properties: json(item.properties, longestText),
  data: '',
});

/** Of music: a share of the work done is never told, only whether it ended. */
export const musicReport = (item: JsonObject): TaskReport => ({
  ...drawingReport({}),
  status: text(item, 'status'),
  submitTime: time(item, 'submit_time'),
  startTime: time(item, 'start_time'),
  finishTime: time(item, 'finish_time'),
  failReason: text(item, 'fail_reason'),
  data: json(item.data, longestData),
});
