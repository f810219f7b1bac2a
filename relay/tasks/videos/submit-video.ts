import { price } from '../../../domain/pricing/price.ts';
import type { TaskFacts } from '../../../domain/task/events.ts';
import { emptyReport } from '../../../domain/task/report.ts';
import { type VideoProperties, writeVideoProperties } from '../../../domain/task/video.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import { refusalError } from '../../admission/refusals.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { sendJson } from '../../protocol/answer-head.ts';
import { type ApiError, gatewayError, isApiError, sendError } from '../../protocol/api-error.ts';
import { parseObject } from '../../protocol/json.ts';
import { upstreamModelOf } from '../../providers/shared/mapped-model.ts';
import type { VideoAdapter, VideoOrder } from '../../providers/shared/videos/video-adapter.ts';
import { videoAdapterOf } from '../../providers/video-adapters.ts';
import { isRetryableStatus } from '../../routing/retry.ts';
import { isoTime } from '../../settlement/iso-time.ts';
import type { HttpReply } from '../../upstream/types.ts';
import type { NoAnswer } from '../call-provider.ts';
import { untilShown } from '../find.ts';
import { noUsage } from '../price.ts';
import { isSuccess, providerError } from '../provider-reply.ts';
import { reserveFor, TaskMoney } from '../task-money.ts';
import { tracedTask } from '../task-trace.ts';
import { type Attempts, tryChannels } from '../try-channels.ts';
import { callAdapter, contextOf } from './call-adapter.ts';
import type { PlannedVideo } from './plan-video.ts';
import { videoObject } from './video-object.ts';

type Result =
  | Readonly<{ kind: 'taken'; upstreamId: string; upstreamModel: string }>
  | Readonly<{ kind: 'refused'; error: ApiError; mayRetry: boolean }>;

const submitTimeoutMs = 120_000;
const maxText = 16_384;
const maxUpstreamId = 256;

const noAnswer = gatewayError(502, 'do_request_failed', 'The upstream request failed');
const notServed = gatewayError(503, 'model_not_found', 'No channel makes videos of this model');

const refused = (error: ApiError, mayRetry: boolean): Result => ({
  kind: 'refused',
  error,
  mayRetry,
});

type Asked = Readonly<{ adapter: VideoAdapter; order: VideoOrder; channel: UpstreamChannel }>;

/**
 * A provider that did not answer may have accepted the video, and so may one whose answer cannot be
 * read: no other one is tried then.
 */
const read = (
  reply: HttpReply | NoAnswer | ApiError,
  { adapter, order, channel }: Asked,
): Result => {
  if (typeof reply === 'string') return refused(noAnswer, reply === 'unreachable');
  if (isApiError(reply)) return refused(reply, true);
  if (!isSuccess(reply)) {
    const error = providerError(channel, reply);
    return refused(error, isRetryableStatus(error.status, channel.type));
  }
  const answer = parseObject(reply.body.toString('utf8'));
  const upstreamId = answer === null ? null : adapter.accepted(answer, order);
  if (upstreamId === null || upstreamId.length > maxUpstreamId) {
    return refused(providerError(channel, reply), false);
  }
  return { kind: 'taken', upstreamId, upstreamModel: order.model };
};

const submitTo = async (
  core: RelayCore,
  { planned, incoming }: Readonly<{ planned: PlannedVideo; incoming: Incoming }>,
  channel: UpstreamChannel,
): Promise<Result> => {
  const { order: asked, origin } = planned;
  const adapter = videoAdapterOf(channel.type);
  if (adapter === undefined) return refused(notServed, true);
  const model = upstreamModelOf(channel, asked.model);
  if (isApiError(model)) return refused(model, true);
  const order = { ...asked, model };
  const { create, remix } = adapter;
  if (origin !== null && remix === undefined) return refused(notServed, false);
  const context = contextOf(core, channel, asked.model);
  const call = () =>
    origin === null || remix === undefined
      ? create(order, context)
      : remix(origin.upstreamId, order.prompt, context);
  const terms = { timeoutMs: submitTimeoutMs, traced: tracedTask(incoming, 'video', model) };
  const reply = await callAdapter(core, channel, { adapter, call, ...terms });
  return read(reply, { adapter, order, channel });
};

const propertiesOf = ({ order, origin }: PlannedVideo): VideoProperties => ({
  model: order.model,
  seconds: order.seconds,
  size: order.size,
  remixedFrom: origin?.taskId ?? null,
});

const factsOf = (
  { requestId }: Incoming,
  caller: Caller,
  { planned, startedAtMs }: Readonly<{ planned: PlannedVideo; startedAtMs: number }>,
): TaskFacts => ({
  taskId: requestId,
  platform: 'video',
  userId: caller.account.userId,
  tokenId: caller.tokenId,
  channelId: planned.channel.channelId,
  action: planned.origin === null ? 'VIDEO' : 'REMIX',
  model: planned.order.model,
  group: planned.group,
  prompt: planned.order.prompt.slice(0, maxText),
  state: '',
  properties: writeVideoProperties(propertiesOf(planned)),
  submittedAt: isoTime(startedAtMs),
});

const endingOf = ({ channel, tried }: Pick<Attempts<Result>, 'channel' | 'tried'>) => ({
  channelId: channel.channelId,
  tried,
});

type Work = Readonly<{ planned: PlannedVideo; facts: TaskFacts; money: TaskMoney }>;

/** Also when the caller left meanwhile: what was accepted is charged, and is part of his list. */
const accepted = async (
  core: RelayCore,
  { facts, money, planned }: Work,
  {
    attempts,
    upstreamId,
    upstreamModel,
  }: Readonly<{
    attempts: Attempts<Result>;
    upstreamId: string;
    upstreamModel: string;
  }>,
): Promise<object> => {
  const { taskId, userId } = facts;
  const ending = endingOf(attempts);
  const { channelId } = ending;
  const outcome = {
    kind: 'accepted',
    taskId,
    platform: 'video',
    userId,
    channelId,
    upstreamId,
    code: 0,
    description: '',
    quota: money.amount,
    acceptedAt: isoTime(core.clock().getTime()),
    properties: '',
    report: null,
  } as const;
  const isMapped = upstreamModel !== planned.order.model;
  await money.accepted(outcome, { ...ending, upstreamModel: isMapped ? upstreamModel : null });
  await untilShown(core, 'video', { taskId, upstreamId });
  return videoObject({
    taskId,
    upstreamId,
    userId,
    channelId,
    action: facts.action,
    prompt: facts.prompt,
    submittedMs: Date.parse(facts.submittedAt),
    report: { ...emptyReport, status: 'QUEUED', properties: facts.properties },
  });
};

const submit = async (core: RelayCore, incoming: Incoming, work: Work): Promise<void> => {
  const { planned, money } = work;
  const attempts = await tryChannels(core, planned, (channel) =>
    submitTo(core, { planned, incoming }, channel),
  );
  const { result } = attempts;
  if (result.kind === 'taken') {
    sendJson(incoming, 200, await accepted(core, work, { attempts, ...result }));
    return;
  }
  const { error } = result;
  const reason = `${error.code ?? ''} ${error.message}`.trim().slice(0, maxText);
  const ending = { ...endingOf(attempts), status: error.status };
  await money.refused({ kind: 'refused', code: null, reason }, ending);
  sendError(incoming.res, error, incoming.requestId);
};

const submitted = async (core: RelayCore, incoming: Incoming, work: Work): Promise<void> => {
  core.meters.exchangeBegan(false);
  try {
    await submit(core, incoming, work);
  } catch (error) {
    const { channelId } = work.planned.channel;
    const ending = { channelId, tried: [channelId], status: 500 };
    const outcome = { kind: 'refused', code: null, reason: 'internal_error' } as const;
    if (!work.money.isEnded) await work.money.refused(outcome, ending);
    throw error;
  } finally {
    core.meters.exchangeEnded(false);
  }
};

/**
 * Reserves the price of a video, requests it from one provider after the other, books the outcome
 * and answers. false: there is no quota for it.
 */
export const submitVideo = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, planned }: Readonly<{ caller: Caller; planned: PlannedVideo }>,
): Promise<boolean> => {
  const { quote, order } = planned;
  const usage = { ...noUsage, videoSeconds: order.seconds };
  const reservation = await reserveFor(core, caller, { quote, usage });
  if (reservation !== null && 'kind' in reservation) {
    sendError(incoming.res, refusalError(reservation, price(usage, quote)), incoming.requestId);
    return false;
  }
  const startedAtMs = core.clock().getTime();
  const facts = factsOf(incoming, caller, { planned, startedAtMs });
  const request = { incoming, caller, facts, quote, usage, startedAtMs };
  await submitted(core, incoming, {
    planned,
    facts,
    money: new TaskMoney(core, request, reservation),
  });
  return true;
};
