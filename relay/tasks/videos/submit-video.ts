import { type VideoProperties, writeVideoProperties } from '../../../domain/task/video.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../../protocol/api-error.ts';
import { upstreamModelOf } from '../../providers/shared/mapped-model.ts';
import { videoAdapterOf } from '../../providers/video-adapters.ts';
import { apiRefusal, maxText, refusedBy, type Submission, submissionOf } from '../job.ts';
import { noUsage } from '../price.ts';
import { submitJob } from '../submit-job.ts';
import { tracedTask } from '../task-trace.ts';
import { callAdapter, contextOf } from './call-adapter.ts';
import { noChannel, type PlannedVideo } from './plan-video.ts';
import { videoObject } from './video-object.ts';

const submitTimeoutMs = 120_000;

const refused = (error: ApiError, mayRetry: boolean): Submission =>
  refusedBy(apiRefusal(error), mayRetry);

const submitTo = async (
  core: RelayCore,
  { planned, incoming }: Readonly<{ planned: PlannedVideo; incoming: Incoming }>,
  channel: UpstreamChannel,
): Promise<Submission> => {
  const { origin } = planned;
  const adapter = videoAdapterOf(channel.type);
  if (adapter === undefined) return refused(noChannel, true);
  const model = upstreamModelOf(channel, planned.order.model);
  if (isApiError(model)) return refused(model, true);
  const order = { ...planned.order, model };
  const { create, remix } = adapter;
  if (origin !== null && remix === undefined) return refused(noChannel, false);
  const context = contextOf(core, channel, planned.order.model);
  const call = () =>
    origin === null || remix === undefined
      ? create(order, context)
      : remix(origin.upstreamId, order.prompt, context);
  const terms = { timeoutMs: submitTimeoutMs, traced: tracedTask(incoming, 'video', model) };
  const reply = await callAdapter(core, channel, { adapter, call, ...terms });
  return submissionOf(reply, channel, (answer) => {
    const upstreamId = adapter.accepted(answer, order) ?? '';
    return { upstreamId, upstreamModel: model, shown: videoObject };
  });
};

const propertiesOf = ({ order, origin }: PlannedVideo): VideoProperties => ({
  model: order.model,
  seconds: order.seconds,
  size: order.size,
  remixedFrom: origin?.taskId ?? null,
});

/** Requests a video from one provider after the other. */
export const submitVideo = (
  core: RelayCore,
  incoming: Incoming,
  { caller, planned }: Readonly<{ caller: Caller; planned: PlannedVideo }>,
): Promise<void> => {
  const { order, origin, group, quote } = planned;
  return submitJob(core, incoming, {
    caller,
    facts: {
      platform: 'video',
      action: origin === null ? 'VIDEO' : 'REMIX',
      model: order.model,
      group,
      prompt: order.prompt.slice(0, maxText),
      state: '',
      properties: writeVideoProperties(propertiesOf(planned)),
    },
    quote,
    usage: { ...noUsage, videoSeconds: order.seconds },
    destination: planned,
    submit: (channel) => submitTo(core, { planned, incoming }, channel),
    refusalOf: apiRefusal,
  });
};
