import type { TaskId, TaskPlatform } from '../../domain/task/events.ts';
import type {
  FoundTask,
  RemovalOfTask,
  RemovedTask,
  ReportOfTask,
  TaskReported,
} from '../../domain/task/messages.ts';
import type { Caller } from '../admission/caller.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { parseObject } from '../protocol/json.ts';
import { findTasks } from './find.ts';

const removalTimeoutMs = 5_000;
const reportTimeoutMs = 10_000;

/** A task of the caller that a provider accepted; null: the caller has none of this id. */
export const ownTask = async (
  core: Pick<RelayCore, 'bus'>,
  caller: Caller,
  { platform, taskId }: Readonly<{ platform: TaskPlatform; taskId: TaskId | null }>,
): Promise<FoundTask | null> => {
  if (taskId === null) return null;
  const { userId } = caller.account;
  const [found] = await findTasks(core, { platform, userId, upstreamIds: [], taskIds: [taskId] });
  return found === undefined || found.upstreamId === '' ? null : found;
};

export type Place<Adapter> = Readonly<{ channel: UpstreamChannel; adapter: Adapter }>;

/** Where a task is; null: its channel no longer exists, or does no such work any more. */
export const placeIn = <Adapter>(
  { channels }: Pick<RelayCore, 'channels'>,
  { channelId }: Pick<FoundTask, 'channelId'>,
  adapterOf: (channelType: number) => Adapter | undefined,
): Place<Adapter> | null => {
  const channel = channels.table().channel(channelId);
  const adapter = channel === undefined ? undefined : adapterOf(channel.type);
  return channel === undefined || adapter === undefined ? null : { channel, adapter };
};

export const hasEnded = ({ report: { status } }: FoundTask): boolean =>
  status === 'SUCCESS' || status === 'FAILURE';

/** What the last report of the provider contains in addition to its status. */
export const reportedData = ({ report }: Pick<FoundTask, 'report'>): JsonObject =>
  parseObject(report.data) ?? {};

type WriteSide = Readonly<{
  bus: RelayCore['bus'];
  journal: Pick<RelayCore['journal'], 'relayId'>;
}>;

/** Removes a task from the list of its owner. Nothing is paid back. */
export const removeTask = async (
  { bus, journal: { relayId } }: WriteSide,
  { taskId }: FoundTask,
): Promise<RemovedTask['outcome']> => {
  const removal = { taskId, relayId };
  const options = { timeoutMs: removalTimeoutMs };
  return (await bus.request<RemovalOfTask, RemovedTask>('task.remove', removal, options)).outcome;
};

/** Reports how a task goes, or its end with what it used; it is settled or paid back once. */
export const reportTask = async (
  { bus, journal: { relayId } }: WriteSide,
  report: Omit<ReportOfTask, 'relayId'>,
): Promise<boolean> => {
  const options = { timeoutMs: reportTimeoutMs };
  const news = { ...report, relayId };
  return (await bus.request<ReportOfTask, TaskReported>('task.report', news, options)).isKnown;
};
