import type { Event } from '../shared/event.ts';
import type { ChannelId, RequestId, TokenId, UserId } from '../shared/ids.ts';
import type { WithPersonal } from '../shared/personal.ts';
import type { QuotaUnits } from '../shared/quota.ts';

/*
 * Work that a provider does after the call that asked for it: drawings and songs. The money of a
 * task is in the account of its user; its events say what became of it.
 */

/** `mj`: drawings; `suno`: music. */
export type TaskPlatform = 'mj' | 'suno';
/** The request that submitted it: its charge in the account has the same id. */
export type TaskId = RequestId;

/** What a provider says of a task. Times are of the platform: ms of drawings, seconds of music. */
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
  /** What music came to: JSON text, untouched. */
  data: string;
}>;

/** What is known before the provider answers. */
export type TaskFacts = Readonly<{
  taskId: TaskId;
  platform: TaskPlatform;
  userId: UserId;
  tokenId: TokenId;
  /** Asked first; `TaskAccepted` says who took it. */
  channelId: ChannelId;
  /** As the lists show it: IMAGINE, MUSIC. */
  action: string;
  /** The name that is priced. */
  model: string;
  group: string;
  prompt: string;
  /** The caller's own word, handed back with the task. */
  state: string;
  /** JSON text of what the caller asked for, where lists show it; empty for none. */
  properties: string;
  /** ISO-8601 */
  submittedAt: string;
}>;

/** Somebody asked for work, and a channel was chosen. Nothing is charged by this. */
export type TaskSubmitted = Event<'TaskSubmitted', TaskFacts & WithPersonal>;
/** The provider took it. From now on the task is looked after until it ends. */
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
  } & WithPersonal
>;
/** `userId` is whose task it is; events written earlier lack it. */
type Reported = Readonly<{ taskId: TaskId; userId?: UserId; report: TaskReport }> & WithPersonal;
/** Something of it moved on. */
export type TaskProgressed = Event<'TaskProgressed', Reported>;
export type TaskSucceeded = Event<'TaskSucceeded', Reported>;

/**
 * Why a task failed. `refused`: the provider never took it. `abandoned`: the relay died before the
 * answer. `upstream`: the provider says so. `timeout`: nobody said anything for an hour.
 */
export type TaskFailure = 'refused' | 'abandoned' | 'upstream' | 'timeout' | 'channel-gone';
/** It will not come to anything. `quota` is what was charged for it and goes back, once. */
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
    /** What the provider said last; null when it said nothing. */
    report: TaskReport | null;
  } & WithPersonal
>;

export type TaskEvent = TaskSubmitted | TaskAccepted | TaskProgressed | TaskSucceeded | TaskFailed;
