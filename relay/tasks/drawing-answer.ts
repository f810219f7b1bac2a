import type { TaskReport } from '../../domain/task/events.ts';
import { redactText } from '../delivery/redaction.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { defined, numberAt, objectAt, parseObject, textAt } from '../protocol/json.ts';
import type { HttpReply } from '../upstream/types.ts';
import { freeActions } from './drawing-actions.ts';
import { drawingReport } from './reports.ts';

/** A provider's answer to an image task. */
export type DrawingAnswer = Readonly<{
  status: number;
  code: number;
  description: string;
  /** "" where it gave no number, as for uploads. */
  upstreamId: string;
  /** The provider accepted the task, which is when it is charged. */
  isTaken: boolean;
  /** As the caller gets it. */
  shown: JsonObject;
  /** JSON text; "" for none. */
  properties: string;
  report: TaskReport | null;
}>;

const accepted = 1;
const existing = 21;
const waiting = 22;

const taken = (action: string, code: number): boolean =>
  code === accepted || (action !== 'SWAP_FACE' && (code === existing || code === waiting));

/**
 * Callers need not distinguish how a task was accepted, except for steps that a window must follow.
 */
const shownCode = (action: string, code: number): number => {
  if (code === waiting) return accepted;
  return code === existing && !freeActions.has(action) ? accepted : code;
};

type AnswerFacts = Readonly<{
  action: string;
  code: number;
  properties: JsonObject;
  nowMs: number;
}>;

/** Uploads are done when they are taken, and a drawing that exists may be finished. */
const reportOf = ({ action, code, properties, nowMs }: AnswerFacts): TaskReport | null => {
  const times = { startTime: nowMs, finishTime: nowMs };
  const none = drawingReport({});
  if (action === 'UPLOAD' && code === accepted) {
    return { ...none, ...times, status: 'SUCCESS', progress: '100%' };
  }
  if (action === 'SWAP_FACE' && code === accepted) return { ...none, startTime: nowMs };
  const status = textAt(properties, 'status');
  const imageUrl = textAt(properties, 'imageUrl');
  if (code !== existing || status === '' || imageUrl === '') return null;
  const news = { ...none, status, imageUrl };
  return status === 'SUCCESS' ? { ...news, ...times, progress: '100%' } : news;
};

/** null: it cannot be read. */
export const readAnswer = (
  reply: HttpReply,
  { action, nowMs, channel }: Readonly<{ action: string; nowMs: number; channel: UpstreamChannel }>,
): DrawingAnswer | null => {
  const value = parseObject(reply.body.toString('utf8'));
  if (value === null) return null;
  const code = numberAt(value, 'code') ?? Number.NaN;
  if (!Number.isInteger(code)) return null;
  const properties = objectAt(value, 'properties');
  const isTaken = reply.status === 200 && taken(action, code);
  const described = textAt(value, 'description');
  // A refusal may name the key that it refuses.
  const description = isTaken ? described : redactText(channel, described);
  const shownDescription = typeof value.description === 'string' ? description : value.description;
  return {
    status: reply.status,
    code,
    description: description.slice(0, 2_000),
    upstreamId: textAt(value, 'result').slice(0, 256),
    isTaken,
    shown: defined({ ...value, description: shownDescription, code: shownCode(action, code) }),
    properties: Object.keys(properties).length === 0 ? '' : JSON.stringify(properties),
    report: isTaken ? reportOf({ action, code, properties, nowMs }) : null,
  };
};
