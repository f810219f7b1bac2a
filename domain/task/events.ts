import { quote, usage } from '../pricing/types.ts';
import { defineEvents, type EventsOf } from '../shared/catalogue.ts';
import { channelId, type RequestId, requestId, tokenId, userId } from '../shared/ids.ts';
import { withPersonal } from '../shared/personal.ts';
import { quotaUnits } from '../shared/quota.ts';
import {
  type Infer,
  type InferFields,
  instant,
  nullable,
  object,
  optional,
  text,
  textOf,
  whole,
} from '../shared/shape.ts';

/*
 * Work that a provider does after the call that submitted it: image, music and video tasks, and batches. The
 * money of a task is in the account of its user; its events carry the outcome.
 */

/**
 * `mj`: image tasks; `suno`: music tasks; `video`: videos of any provider; `batch`: batches of requests;
 * `file`: a file of requests that was uploaded for one; `cache`: a context cache. The last two have ended with
 * their acceptance.
 */
export type TaskPlatform = 'mj' | 'suno' | 'video' | 'batch' | 'file' | 'cache';
export const platform = textOf<TaskPlatform>();
/** The request that submitted it: its charge in the account has the same id. */
export type TaskId = RequestId;
const taskId = requestId;

/** What a provider reports of a task. Times are of the platform: ms of drawings, seconds of others. */
const report = object({
  status: text,
  /** Percent, such as `37%`. */
  progress: text,
  promptEn: text,
  description: text,
  state: text,
  submitTime: whole,
  startTime: whole,
  finishTime: whole,
  imageUrl: text,
  failReason: text,
  /** JSON texts as the provider wrote them; empty for none. */
  buttons: text,
  properties: text,
  /** JSON text: the result of music, untouched; of a video, where it is. */
  data: text,
});
export type TaskReport = Infer<typeof report>;

/** The facts before the provider answers. */
const facts = {
  taskId,
  platform,
  userId,
  tokenId,
  /** The first one tried; `TaskAccepted` names the one that took it. */
  channelId,
  /** As the lists show it: IMAGINE, MUSIC, VIDEO. */
  action: text,
  /** The name that is priced. */
  model: text,
  group: text,
  prompt: text,
  /** The caller's own text, returned with the task. */
  state: text,
  /** JSON text of the caller's request, where lists show it; empty for none. */
  properties: text,
  submittedAt: instant,
};
export type TaskFacts = InferFields<typeof facts>;

const reported = { taskId, userId, report, ...withPersonal };

/**
 * Why a task failed. `refused`: the provider never took it. `abandoned`: the relay died before the
 * answer. `upstream`: the provider reports so. `timeout`: no report for too long.
 */
export type TaskFailure = 'refused' | 'abandoned' | 'upstream' | 'timeout' | 'channel-gone';

const unaudited = defineEvents('task', null);

export const taskEvents = {
  /** A task was submitted, and a channel was chosen. Nothing is charged by this. */
  TaskSubmitted: unaudited({ ...facts, ...withPersonal }),
  /** The provider accepted it. From now on the task is polled until it ends. */
  TaskAccepted: unaudited({
    taskId,
    platform,
    userId,
    channelId,
    /** The provider's number of it, by which callers find it. */
    upstreamId: text,
    /** Of the provider: 1 taken, 21 exists already, 22 waits; 0 where the platform has none. */
    code: whole,
    description: text,
    /** What the account was charged; 0 for steps that are free. */
    quota: quotaUnits,
    /** When the provider answered. */
    acceptedAt: instant,
    /** JSON text of what the answer included; empty for none. */
    properties: text,
    /** Set for work that is settled by what it used: `quota` is its estimate by this price. */
    quote: optional(quote),
    ...withPersonal,
  }),
  /** The provider reported progress. */
  TaskProgressed: unaudited(reported),
  TaskSucceeded: unaudited(reported),
  /**
   * What a task used that was charged by an estimate, when its end was reported. `refund` is what the
   * estimate was above it, and goes back, once. Appended together with `TaskSucceeded`.
   */
  TaskSettled: unaudited({
    taskId,
    userId,
    usage,
    /** What it costs in the end, never above what was charged. */
    amount: quotaUnits,
    refund: quotaUnits,
  }),
  /** The task failed. `quota` is what was charged for it and goes back, once. */
  TaskFailed: unaudited({
    taskId,
    userId,
    source: textOf<TaskFailure>(),
    /** Code of the provider's refusal; null where there was none. */
    code: nullable(whole),
    reason: text,
    quota: quotaUnits,
    /** The last report of the provider; null when there was none. */
    report: nullable(report),
    ...withPersonal,
  }),
  /** Its owner deleted the result of a finished task. Its money stays as it is. */
  TaskRemoved: unaudited({ taskId, userId }),
};

type Events = EventsOf<typeof taskEvents>;
export type TaskSubmitted = Events['TaskSubmitted'];
export type TaskAccepted = Events['TaskAccepted'];
export type TaskSettled = Events['TaskSettled'];
export type TaskFailed = Events['TaskFailed'];
export type TaskEvent = Events[keyof Events];
