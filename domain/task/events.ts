import type { Quote, Usage } from '../pricing/types.ts';
import type { Event } from '../shared/event.ts';
import type { ChannelId, RequestId, TokenId, UserId } from '../shared/ids.ts';
import type { WithPersonal } from '../shared/personal.ts';
import type { QuotaUnits } from '../shared/quota.ts';

/*
 * Work that a provider does after the call that submitted it: image, music and video tasks, and batches. The
 * money of a task is in the account of its user; its events hold the outcome.
 */

/**
 * `mj`: image tasks; `suno`: music tasks; `video`: videos of any provider; `batch`: batches of requests;
 * `file`: a file of requests that was uploaded for one; `cache`: a context cache. The last two have ended with
 * their acceptance.
 */
export type TaskPlatform = 'mj' | 'suno' | 'video' | 'batch' | 'file' | 'cache';
/** The request that submitted it: its charge in the account has the same id. */
export type TaskId = RequestId;

/** What a provider reports of a task. Times are of the platform: ms of drawings, seconds of others. */
export type TaskReport = Readonly<{
  status: string;
  /** Percent, such as `37%`. */
  progress: string;
  promptEn: string;
  description: string;
  state: string;
  submitTime: number;
  startTime: number;
  finishTime: number;
  imageUrl: string;
  failReason: string;
  /** JSON texts as the provider wrote them; empty for none. */
  buttons: string;
  properties: string;
  /** JSON text: what music came to, untouched; of a video, where it is. */
  data: string;
}>;

/** What is known before the provider answers. */
export type TaskFacts = Readonly<{
  taskId: TaskId;
  platform: TaskPlatform;
  userId: UserId;
  tokenId: TokenId;
  /** The first one tried; `TaskAccepted` names the one that took it. */
  channelId: ChannelId;
  /** As the lists show it: IMAGINE, MUSIC, VIDEO. */
  action: string;
  /** The name that is priced. */
  model: string;
  group: string;
  prompt: string;
  /** The caller's own text, handed back with the task. */
  state: string;
  /** JSON text of the caller's request, where lists show it; empty for none. */
  properties: string;
  /** ISO-8601 */
  submittedAt: string;
}>;

/** A task was submitted, and a channel was chosen. Nothing is charged by this. */
export type TaskSubmitted = Event<'TaskSubmitted', TaskFacts & WithPersonal>;
/** The provider accepted it. From now on the task is polled until it ends. */
export type TaskAccepted = Event<
  'TaskAccepted',
  {
    taskId: TaskId;
    platform: TaskPlatform;
    userId: UserId;
    channelId: ChannelId;
    /** The provider's number of it, by which callers know it. */
    upstreamId: string;
    /** Of the provider: 1 taken, 21 exists already, 22 waits; 0 where the platform has none. */
    code: number;
    description: string;
    /** What the account was charged; 0 for steps that are free. */
    quota: QuotaUnits;
    /** When the provider answered, ISO-8601. */
    acceptedAt: string;
    /** JSON text of what came with the answer; empty for none. */
    properties: string;
    /** Set for work that is settled by what it used: `quota` is its estimate by this price. */
    quote?: Quote;
  } & WithPersonal
>;
/** `userId` is whose task it is; events written earlier lack it. */
type Reported = Readonly<{ taskId: TaskId; userId?: UserId; report: TaskReport }> & WithPersonal;
/** Something of it moved on. */
export type TaskProgressed = Event<'TaskProgressed', Reported>;
export type TaskSucceeded = Event<'TaskSucceeded', Reported>;

/**
 * Why a task failed. `refused`: the provider never took it. `abandoned`: the relay died before the
 * answer. `upstream`: the provider says so. `timeout`: no report for too long.
 */
export type TaskFailure = 'refused' | 'abandoned' | 'upstream' | 'timeout' | 'channel-gone';
/** The task failed. `quota` is what was charged for it and goes back, once. */
export type TaskFailed = Event<
  'TaskFailed',
  {
    taskId: TaskId;
    userId: UserId;
    source: TaskFailure;
    /** Code of the provider's refusal; null where there was none. */
    code: number | null;
    reason: string;
    quota: QuotaUnits;
    /** The last report of the provider; null when there was none. */
    report: TaskReport | null;
  } & WithPersonal
>;

/**
 * What a task used that was charged by an estimate, when its end was reported. `refund` is what the
 * estimate was above it, and goes back, once. It comes with `TaskSucceeded`.
 */
export type TaskSettled = Event<
  'TaskSettled',
  {
    taskId: TaskId;
    userId: UserId;
    usage: Usage;
    /** What it costs in the end, never above what was charged. */
    amount: QuotaUnits;
    refund: QuotaUnits;
  }
>;

/** Its owner deleted what a finished task came to. Its money stays as it is. */
export type TaskRemoved = Event<'TaskRemoved', { taskId: TaskId; userId: UserId }>;

export type TaskEvent =
  | TaskSubmitted
  | TaskAccepted
  | TaskProgressed
  | TaskSucceeded
  | TaskSettled
  | TaskFailed
  | TaskRemoved;
