import type { PolledTasks, PollTasks } from '../../../domain/task/messages.ts';
import { emptyReport } from '../../../domain/task/report.ts';
import { redactText } from '../../delivery/redaction.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { isApiError } from '../../protocol/api-error.ts';
import { parseObject } from '../../protocol/json.ts';
import type { VideoAdapter, VideoStatus } from '../../providers/shared/videos/video-adapter.ts';
import { videoAdapterOf } from '../../providers/video-adapters.ts';
import { isSuccess } from '../provider-reply.ts';
import { callAdapter, contextOf } from './call-adapter.ts';
import { closedJson, headBytes } from './inline-video.ts';
import { videoReport } from './video-object.ts';

/** Of one question; a batch of them fits into the time that the control plane waits. */
const pollTimeoutMs = 10_000;
const atOnce = 10;

type Report = NonNullable<PolledTasks['reports']>[number];

const redacted = (channel: UpstreamChannel, status: VideoStatus): VideoStatus =>
  status.error === null
    ? status
    : { ...status, error: { ...status.error, message: redactText(channel, status.error.message) } };

/** A provider that does not report when a video ended has ended it by now. */
const endOf = ({ state, finishedAt }: VideoStatus, now: number): number => {
  const hasEnded = state === 'done' || state === 'failed';
  return hasEnded && finishedAt === 0 ? now : finishedAt;
};

/** null: the provider does not report it. */
const pollOne = async (
  core: RelayCore,
  channel: UpstreamChannel,
  { adapter, upstreamId }: Readonly<{ adapter: VideoAdapter; upstreamId: string }>,
): Promise<Report | null> => {
  const context = contextOf(core, channel);
  const call = () => adapter.poll(upstreamId, context);
  const isInline = adapter.inlineVideo !== undefined;
  const asked = { adapter, call, timeoutMs: pollTimeoutMs, ...(isInline ? { headBytes } : {}) };
  const reply = await callAdapter(core, channel, asked);
  if (typeof reply === 'string' || isApiError(reply)) return null;
  if (!isSuccess(reply) && adapter.readsRefusals !== true) return null;
  const text = reply.body.toString('utf8');
  const answer = parseObject(text) ?? (isInline ? parseObject(closedJson(text)) : null);
  const status = answer === null ? null : adapter.status(answer);
  if (status === null) return null;
  const shown = { ...redacted(channel, status), finishedAt: endOf(status, context.now) };
  return { upstreamId, report: videoReport(shown, emptyReport) };
};

/** Polls each video at its provider. */
export const pollVideos = async (
  core: RelayCore,
  channel: UpstreamChannel,
  { upstreamIds }: PollTasks,
): Promise<PolledTasks> => {
  const adapter = videoAdapterOf(channel.type);
  if (adapter === undefined) return { reports: null };
  const reports: Report[] = [];
  for (let at = 0; at < upstreamIds.length; at += atOnce) {
    const part = upstreamIds.slice(at, at + atOnce);
    const asked = part.map((upstreamId) => pollOne(core, channel, { adapter, upstreamId }));
    for (const report of await Promise.all(asked)) if (report !== null) reports.push(report);
  }
  return { reports };
};
