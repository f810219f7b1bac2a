import type { PolledTasks, PollTasks } from '../../domain/task/messages.ts';
import type { Stop } from '../../infra/ports/bus.ts';
import type { RelayTracing } from '../../infra/ports/tracing.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { isObject, objectsAt, parseJson, textAt } from '../protocol/json.ts';
import type { HttpReply } from '../upstream/types.ts';
import { pollBatches } from './batches/poll-batches.ts';
import { callProvider } from './call-provider.ts';
import type { NoAnswer } from './provider-reply.ts';
import { drawingReport, musicReport } from './reports.ts';
import { pollVideos } from './videos/poll-videos.ts';

const pollTimeoutMs = 15_000;

type Reports = NonNullable<PolledTasks['reports']>;

const drawings = (value: unknown): Reports | null =>
  Array.isArray(value)
    ? value
        .filter(isObject)
        .map((item) => ({ upstreamId: textAt(item, 'id'), report: drawingReport(item) }))
    : null;

const songs = (value: unknown): Reports | null =>
  isObject(value) && value.code === 'success'
    ? objectsAt(value, 'data').map((item) => ({
        upstreamId: textAt(item, 'task_id'),
        report: musicReport(item),
      }))
    : null;

const send = (
  core: RelayCore,
  channel: UpstreamChannel,
  { platform, upstreamIds: ids }: PollTasks,
): Promise<HttpReply | NoAnswer> => {
  const json = { 'content-type': 'application/json', accept: 'application/json' };
  const call = { method: 'POST', body: { ids }, timeoutMs: pollTimeoutMs } as const;
  if (platform === 'mj') {
    const headers = { ...json, 'mj-api-secret': channel.key };
    return callProvider(core, channel, { ...call, path: '/mj/task/list-by-condition', headers });
  }
  const headers = { ...json, authorization: `Bearer ${channel.key}` };
  return callProvider(core, channel, { ...call, path: '/suno/fetch', headers });
};

const poll = async (core: RelayCore, work: PollTasks): Promise<PolledTasks> => {
  const channel = core.channels.table().channel(work.channelId);
  if (work.platform === 'video') {
    return channel === undefined ? { reports: null } : pollVideos(core, channel, work);
  }
  if (work.platform === 'batch') {
    return channel === undefined ? { reports: null } : pollBatches(core, channel, work);
  }
  const reply = channel === undefined ? 'unreachable' : await send(core, channel, work);
  if (typeof reply === 'string' || reply.status !== 200) return { reports: null };
  const value = parseJson(reply.body.toString('utf8'));
  return { reports: work.platform === 'mj' ? drawings(value) : songs(value) };
};

const notePoll = (
  tracing: RelayTracing,
  { channelId, platform, tasks }: PollTasks,
  {
    channelType,
    reports,
    sinceMs,
  }: PolledTasks & Readonly<{ channelType: number; sinceMs: number }>,
): void => {
  const statuses = new Map(reports?.map(({ upstreamId, report }) => [upstreamId, report.status]));
  const polled = tasks.map(({ taskId, upstreamId }) => ({
    requestId: taskId,
    status: statuses.get(upstreamId) ?? null,
  }));
  const hasFailed = reports === null;
  tracing.polled({ platform, channelType, channelId, tasks: polled, hasFailed }, sinceMs);
};

/** A task has the id of the request that submitted it, and so the poll is in the trace of that. */
const tracedPoll = async (core: RelayCore, work: PollTasks): Promise<PolledTasks> => {
  const { tracing } = core;
  const channelType = core.channels.table().channel(work.channelId)?.type;
  if (!tracing || channelType === undefined) return poll(core, work);
  const sinceMs = tracing.now();
  const answer = await poll(core, work);
  notePoll(tracing, work, { ...answer, channelType, sinceMs });
  return answer;
};

/** Polls providers for the state of tasks, on request of the control plane. */
export const serveTaskPolls = (core: RelayCore): Promise<Stop> =>
  core.bus.serve<PollTasks, PolledTasks>('relay.poll-tasks', (work) => tracedPoll(core, work));
