import type { TaskReport } from '../../../domain/task/events.ts';
import type { PolledTasks, PollTasks } from '../../../domain/task/messages.ts';
import { emptyReport } from '../../../domain/task/report.ts';
import { redactText } from '../../delivery/redaction.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { objectsAt, textAt } from '../../protocol/json.ts';
import { batchAdapterOf } from '../../providers/batch-adapters.ts';
import type { BatchStatus } from '../../providers/shared/batches/batch-adapter.ts';
import { findTasks } from '../find.ts';
import { reportTask } from '../own-task.ts';
import { answerOf, isSuccess } from '../provider-reply.ts';
import { type BatchPlace, callBatches } from './call-batches.ts';
import { propertiesOf } from './own-work.ts';
import { readUsage } from './settle-batch.ts';

/** Of one question; all of them fit, with the patience below, into the time that the control plane waits. */
const pollTimeoutMs = 10_000;
/** Results that take longer are reported when they have been read. */
const patienceMs = 10_000;

type Report = NonNullable<PolledTasks['reports']>[number];

const statuses = { running: 'IN_PROGRESS', done: 'SUCCESS', failed: 'FAILURE' } as const;

/** The provider's report of lines that it rejected. */
const redactedData = (channel: UpstreamChannel, data: JsonObject): JsonObject => {
  const errors = objectsAt(data, 'errors');
  if (errors.length === 0) return data;
  const shown = errors.map((error) => ({
    ...error,
    message: redactText(channel, textAt(error, 'message')),
  }));
  return { ...data, errors: shown };
};

const reportOf = (
  channel: UpstreamChannel,
  { state, percent, reason, data }: BatchStatus,
): TaskReport => ({
  ...emptyReport,
  status: statuses[state],
  progress: state === 'running' ? `${Math.min(99, percent ?? 0)}%` : '100%',
  failReason: redactText(channel, reason),
  data: JSON.stringify(redactedData(channel, data)),
});

type Ended = Readonly<{ upstreamId: string; status: BatchStatus; place: BatchPlace }>;

/** What polling works with. */
type PollCore = Pick<
  RelayCore,
  'bus' | 'journal' | 'logger' | 'openDownload' | 'providerIo' | 'timers' | 'coolDowns'
>;

/** Results that a relay reads now, by channel and batch. */
const readingOf = new WeakMap<PollCore['journal'], Map<string, Promise<void>>>();

/** Reads what a batch used and reports it with its end; however often that is reported, it is settled once. */
const settle = async (core: PollCore, { upstreamId, status, place }: Ended): Promise<void> => {
  const { channel, adapter } = place;
  const query = { platform: 'batch', userId: null, upstreamIds: [upstreamId] } as const;
  const found = await findTasks(core, query);
  const task = found.find(({ channelId }) => channelId === channel.channelId);
  const estimate = task === undefined ? null : propertiesOf(task);
  if (task === undefined) return;
  const paths = adapter.resultPaths(upstreamId, status.data);
  const none = { model: '', endpoint: '', requests: 0, promptTokens: 0, completionTokens: 0 };
  const used = await readUsage(core, place, { paths, estimate: estimate ?? none });
  if (used === null) return;
  const { taskId } = task;
  if (used === 'gone') core.logger.warn({ taskId }, 'a batch has no results any more');
  const report = reportOf(channel, status);
  await reportTask(core, { taskId, report, ...(used === 'gone' ? {} : { used }) });
};

const settledOnce = (core: PollCore, ended: Ended): Promise<void> => {
  const { channelId } = ended.place.channel;
  const name = `${channelId}/${ended.upstreamId}`;
  const reading = readingOf.get(core.journal) ?? new Map<string, Promise<void>>();
  readingOf.set(core.journal, reading);
  const known = reading.get(name);
  if (known !== undefined) return known;
  const work = settle(core, ended)
    .catch((error: unknown) => {
      core.logger.warn({ channelId, error: String(error) }, 'results of a batch were not read');
    })
    .finally(() => reading.delete(name));
  reading.set(name, work);
  return work;
};

const patience = ({ timers }: Pick<PollCore, 'timers'>): Promise<void> =>
  new Promise((resolve) => {
    timers.setTimeout(resolve, patienceMs).unref();
  });

/** null: nothing to report here. */
const pollOne = async (
  core: PollCore,
  place: BatchPlace,
  upstreamId: string,
): Promise<Report | null> => {
  const path = `${place.adapter.path}/${encodeURIComponent(upstreamId)}`;
  const asked = { method: 'GET', path, body: null, timeoutMs: pollTimeoutMs } as const;
  const reply = await callBatches(core, place, asked);
  if (typeof reply === 'string' || !isSuccess(reply)) return null;
  const status = place.adapter.status(answerOf(reply) ?? {});
  if (status === null) return null;
  if (status.state === 'done') {
    await Promise.race([settledOnce(core, { upstreamId, status, place }), patience(core)]);
    return null;
  }
  return { upstreamId, report: reportOf(place.channel, status) };
};

/** Polls each batch at its provider; one that has ended is settled by its results. */
export const pollBatches = async (
  core: PollCore,
  channel: UpstreamChannel,
  { upstreamIds }: PollTasks,
): Promise<PolledTasks> => {
  const adapter = batchAdapterOf(channel.type);
  if (adapter === undefined) return { reports: null };
  const place = { channel, adapter };
  const asked = upstreamIds.map((upstreamId) => pollOne(core, place, upstreamId));
  const reports = await Promise.all(asked);
  return { reports: reports.filter((report) => report !== null) };
};
