import { price } from '../../../domain/pricing/price.ts';
import type { Quote, Usage } from '../../../domain/pricing/types.ts';
import { type BatchWire, batchActions, writeBatchProperties } from '../../../domain/task/batch.ts';
import type { TaskFacts } from '../../../domain/task/events.ts';
import { emptyReport } from '../../../domain/task/report.ts';
import { checkModel } from '../../admission/access.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import { refusalError } from '../../admission/refusals.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { sendJson } from '../../protocol/answer-head.ts';
import { type ApiError, isApiError, sendError } from '../../protocol/api-error.ts';
import { textAt } from '../../protocol/json.ts';
import { batchAdapterOf } from '../../providers/batch-adapters.ts';
import { isoTime } from '../../settlement/iso-time.ts';
import { untilShown } from '../find.ts';
import { isSuccess, providerError } from '../provider-reply.ts';
import { reserveFor, TaskMoney } from '../task-money.ts';
import { withTaskPermit } from '../task-permit.ts';
import { tracedTask } from '../task-trace.ts';
import { type Asker, batchQuote, groupFor } from './admit.ts';
import { batchObject } from './batch-object.ts';
import { answerOf, callBatches, noAnswer } from './call-batches.ts';
import { refusalIn } from './read-file.ts';
import { type BatchOrder, fileOrder, messagesOrder } from './read-order.ts';

const submitTimeoutMs = 120_000;
const maxUpstreamId = 256;
const maxReason = 16_384;

type Work = Readonly<{
  wire: BatchWire;
  asker: Asker;
  order: BatchOrder;
  quote: Quote;
  /** The estimate. */
  usage: Usage;
}>;

type Outcome = Readonly<{ upstreamId: string }> | ApiError;

/** A provider that did not answer may have accepted the batch: nothing is charged, and no other is tried. */
const submitTo = async (
  core: RelayCore,
  incoming: Incoming,
  { order, wire }: Work,
): Promise<Outcome> => {
  const { channel, body } = order;
  const adapter = batchAdapterOf(channel.type);
  if (adapter?.wire !== wire) return noAnswer;
  const traced = tracedTask(incoming, 'batch', order.upstreamModel);
  const terms = { timeoutMs: submitTimeoutMs, traced };
  const asked = { method: 'POST', path: adapter.path, body, ...terms } as const;
  const reply = await callBatches(core, { channel, adapter }, asked);
  if (typeof reply === 'string') return noAnswer;
  const upstreamId = isSuccess(reply) ? textAt(answerOf(reply) ?? {}, 'id') : '';
  if (upstreamId === '' || upstreamId.length > maxUpstreamId) return providerError(channel, reply);
  return { upstreamId };
};

const factsOf = (
  { requestId, arrivedAtMs }: Incoming,
  { wire, asker, order }: Work,
): TaskFacts => ({
  taskId: requestId,
  platform: 'batch',
  userId: asker.caller.account.userId,
  tokenId: asker.caller.tokenId,
  channelId: order.channel.channelId,
  action: batchActions[wire],
  model: order.properties.model,
  group: asker.group,
  prompt: '',
  state: '',
  properties: writeBatchProperties(order.properties),
  submittedAt: isoTime(arrivedAtMs),
});

type Begun = Readonly<{ work: Work; facts: TaskFacts; money: TaskMoney }>;

/** Also when the caller left meanwhile: what was accepted is charged, and is part of his list. */
const accepted = async (
  core: RelayCore,
  { work, facts, money }: Begun,
  upstreamId: string,
): Promise<object> => {
  const { taskId, userId, channelId, action, platform } = facts;
  const outcome = {
    kind: 'accepted',
    taskId,
    platform,
    userId,
    channelId,
    upstreamId,
    code: 0,
    description: '',
    quota: money.amount,
    acceptedAt: isoTime(core.clock().getTime()),
    properties: '',
    quote: work.quote,
    report: null,
  } as const;
  const { upstreamModel, properties } = work.order;
  const isMapped = upstreamModel !== properties.model;
  const ending = { channelId, tried: [channelId] };
  await money.accepted(outcome, { ...ending, upstreamModel: isMapped ? upstreamModel : null });
  await untilShown(core, platform, { taskId, upstreamId });
  const submittedMs = Date.parse(facts.submittedAt);
  const report = { ...emptyReport, status: 'QUEUED', properties: facts.properties };
  const own = { taskId, upstreamId, userId, channelId, action, prompt: '', submittedMs, report };
  return batchObject(work.wire, own);
};

const submit = async (core: RelayCore, incoming: Incoming, begun: Begun): Promise<void> => {
  const { channelId } = begun.facts;
  const ending = { channelId, tried: [channelId] };
  try {
    const outcome = await submitTo(core, incoming, begun.work);
    if (!isApiError(outcome)) {
      sendJson(incoming, 200, await accepted(core, begun, outcome.upstreamId));
      return;
    }
    const reason = `${outcome.code ?? ''} ${outcome.message}`.trim().slice(0, maxReason);
    const refusal = { kind: 'refused', code: null, reason } as const;
    await begun.money.refused(refusal, { ...ending, status: outcome.status });
    sendError(incoming.res, outcome, incoming.requestId);
  } catch (error) {
    const refusal = { kind: 'refused', code: null, reason: 'internal_error' } as const;
    if (!begun.money.isEnded) await begun.money.refused(refusal, { ...ending, status: 500 });
    throw error;
  }
};

/** false: there is no quota for it, and the provider was not called. */
const reserved = async (core: RelayCore, incoming: Incoming, work: Work): Promise<boolean> => {
  const { quote, usage } = work;
  const { caller } = work.asker;
  const reservation = await reserveFor(core, caller, { quote, usage });
  if (reservation !== null && 'kind' in reservation) {
    sendError(incoming.res, refusalError(reservation, price(usage, quote)), incoming.requestId);
    return false;
  }
  const facts = factsOf(incoming, work);
  const request = { incoming, caller, facts, quote, usage, startedAtMs: incoming.arrivedAtMs };
  const money = new TaskMoney(core, request, reservation);
  core.meters.exchangeBegan(false);
  try {
    await submit(core, incoming, { work, facts, money });
  } finally {
    core.meters.exchangeEnded(false);
  }
  return true;
};

type Asked = Readonly<{ wire: BatchWire; caller: Caller; raw: Buffer }>;

const planned = async (
  core: RelayCore,
  incoming: Incoming,
  { wire, caller, raw }: Asked,
): Promise<Work | ApiError> => {
  const group = groupFor(core, incoming, caller);
  if (typeof group !== 'string') return group;
  const asker = { caller, group };
  const order =
    wire === 'openai' ? await fileOrder(core, asker, raw) : await messagesOrder(core, asker, raw);
  if (isApiError(order)) return order;
  const { model, requests, promptTokens, completionTokens } = order.properties;
  const closed = checkModel(caller, model);
  if (closed !== null) return closed;
  const quote = batchQuote(core, asker, { model, channel: order.channel });
  if (isApiError(quote)) return quote;
  const cache = { cachedTokens: 0, cacheCreationTokens: 0 };
  const usage = { promptTokens, completionTokens, ...cache, batchRequests: requests };
  return { wire, asker, order, quote, usage };
};

/** POST /v1/batches and POST /v1/messages/batches: admitted by the estimate, and charged once. */
export const serveOrder = async (
  core: RelayCore,
  incoming: Incoming,
  asked: Asked,
): Promise<void> => {
  const fail = (error: ApiError) => sendError(incoming.res, error, incoming.requestId);
  let work: Work | ApiError;
  try {
    work = await planned(core, incoming, asked);
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === null) throw error;
    return fail(refusal);
  }
  if (isApiError(work)) return fail(work);
  const own = work;
  const { caller, group } = own.asker;
  const { model } = own.order.properties;
  const go = () => reserved(core, incoming, own);
  const limited = await withTaskPermit(core, incoming, { caller, group, model, go });
  if (limited !== null) fail(limited);
};
