import type { Usage } from '../pricing/types.ts';
import type { ChannelId, UserId } from '../shared/ids.ts';
import type { TaskAccepted, TaskFacts, TaskId, TaskPlatform, TaskReport } from './events.ts';

/*
 * Messages about tasks between relays, the write side and the read models. Subjects:
 *   request  `task.find`        FindTasks → FoundTasks, answered by the read models
 *   request  `task.unfinished`  FindUnfinished → UnfinishedTasks, answered by the read models
 *   request  `task.list`        ListTasks → ListedTasks, answered by the read models
 *   request  `task.remove`      RemovalOfTask → RemovedTask, answered by the write side
 *   request  `task.report`      ReportOfTask → TaskReported, answered by the write side
 *   request  `relay.poll-tasks` PollTasks → PolledTasks, answered by relays
 */

/** The provider's answer, as the relay's journal keeps it: part of the usage record that charges the task. */
export type TaskOutcome =
  | (Readonly<{ kind: 'accepted' }> &
      Readonly<TaskAccepted['data']> &
      Readonly<{ report: TaskReport | null }>)
  | Readonly<{ kind: 'refused'; code: number | null; reason: string }>;
/** `outcome` null: the provider has not answered. */
export type TaskNote = Readonly<{ facts: TaskFacts; outcome: TaskOutcome | null }>;

/** By the providers' ids; `userId` null for every user, `taskIds` for our own ids instead. */
export type FindTasks = Readonly<{
  platform: TaskPlatform;
  userId: UserId | null;
  upstreamIds: readonly string[];
  taskIds?: readonly TaskId[];
}>;
export type FoundTask = Readonly<{
  taskId: TaskId;
  upstreamId: string;
  userId: UserId;
  channelId: ChannelId;
  action: string;
  prompt: string;
  /** Milliseconds; reports have them for drawings alone. */
  submittedMs: number;
  report: TaskReport;
}>;
/** Newest first. */
export type FoundTasks = Readonly<{ tasks: readonly FoundTask[] }>;

/** Tasks of one user that a provider accepted, without those that were removed. */
export type ListTasks = Readonly<{
  platform: TaskPlatform;
  userId: UserId;
  /** Absent: every action. */
  action?: string;
  limit: number;
  /** The last one of the page before; null: from the beginning. */
  after: TaskId | null;
  /** The first one of the page behind; absent: to the end. */
  before?: TaskId;
  /** By the time of submission. */
  order: 'asc' | 'desc';
}>;
/** `hasMore`: after the page, or before one that was requested by `before`. */
export type ListedTasks = Readonly<{ tasks: readonly FoundTask[]; hasMore: boolean }>;

/** The owner deletes a task; the relay has checked whose it is. */
export type RemovalOfTask = Readonly<{ taskId: TaskId; relayId: string }>;
export type RemovedTask = Readonly<{ outcome: 'removed' | 'unfinished' | 'unknown' }>;

/** Oldest first. */
export type FindUnfinished = Readonly<{ platform: TaskPlatform; limit: number }>;
export type UnfinishedTask = Readonly<{
  taskId: TaskId;
  /** Empty while it is unknown whether the provider accepted it. */
  upstreamId: string;
  channelId: ChannelId;
  submittedMs: number;
}>;
export type UnfinishedTasks = Readonly<{ tasks: readonly UnfinishedTask[] }>;

/**
 * A provider called back, and the relay has checked that it may; or the relay has read the results of
 * finished work. `used`: what that used.
 */
export type ReportOfTask = Readonly<{
  taskId: TaskId;
  report: TaskReport;
  used?: Usage;
  relayId: string;
}>;
export type TaskReported = Readonly<{ isKnown: boolean }>;

export type PollTasks = Readonly<{
  channelId: ChannelId;
  platform: TaskPlatform;
  upstreamIds: readonly string[];
  /** Whose they are. */
  tasks: readonly Readonly<{ taskId: TaskId; upstreamId: string }>[];
}>;
/** null: the channel could not be polled now. */
export type PolledTasks = Readonly<{
  reports: readonly Readonly<{ upstreamId: string; report: TaskReport }>[] | null;
}>;
