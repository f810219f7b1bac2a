import { price } from '../../../domain/pricing/price.ts';
import { writeCacheProperties } from '../../../domain/task/cache.ts';
import type { TaskFacts } from '../../../domain/task/events.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import { examineBody } from '../../admission/examine-body.ts';
import { refusalError } from '../../admission/refusals.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { sendJson } from '../../protocol/answer-head.ts';
import { type ApiError, isApiError, sendError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { textAt } from '../../protocol/json.ts';
import type { ScannedBody } from '../../protocol/normalise.ts';
import type { CacheContext } from '../../providers/shared/gemini/caches.ts';
import { isoTime } from '../../settlement/iso-time.ts';
import { untilShown } from '../find.ts';
import { isSuccess, providerError } from '../provider-reply.ts';
import { reserveFor, TaskMoney } from '../task-money.ts';
import { withTaskPermit } from '../task-permit.ts';
import { tracedTask } from '../task-trace.ts';
import { answerOf, cacheObject, callCaches, noAnswer } from './own-cache.ts';
import { type PlannedCache, planCache, usageOf } from './plan-cache.ts';
import { type TakenCache, takenCache } from './taken-cache.ts';

const timeoutMs = 120_000;
const maxReason = 16_384;

const factsOf = ({ requestId, arrivedAtMs }: Incoming, work: PlannedCache): TaskFacts => ({
  taskId: requestId,
  platform: 'cache',
  userId: work.caller.account.userId,
  tokenId: work.caller.tokenId,
  channelId: work.place.channel.channelId,
  action: 'CACHE',
  model: work.model,
  group: work.group,
  prompt: '',
  state: '',
  properties: writeCacheProperties({ model: work.model }),
  submittedAt: isoTime(arrivedAtMs),
});

/** A provider that did not answer may have made the cache: nothing is charged, and no other is tried. */
const submitTo = async (
  core: RelayCore,
  incoming: Incoming,
  { place, body, model, upstreamModel }: PlannedCache,
): Promise<TakenCache | ApiError> => {
  const { adapter, channel } = place;
  const traced = tracedTask(incoming, 'cache', upstreamModel);
  const at = (context: CacheContext) => adapter.all(context, model);
  const asked = { method: 'POST', at, body, timeoutMs, traced } as const;
  const reply = await callCaches(core, channel, asked);
  if (typeof reply === 'string') return noAnswer;
  if (isApiError(reply)) return reply;
  const answer = isSuccess(reply) ? answerOf(reply) : null;
  const upstreamId = answer === null ? '' : textAt(answer, 'name');
  return answer === null || !adapter.isName(upstreamId)
    ? providerError(channel, reply)
    : { upstreamId, answer };
};

type Begun = Readonly<{ work: PlannedCache; facts: TaskFacts; money: TaskMoney }>;

/** Also when the caller left meanwhile: what was made is charged, and is part of his list. */
const accepted = async (
  core: RelayCore,
  { work, facts, money }: Begun,
  taken: TakenCache,
): Promise<JsonObject> => {
  const { taskId, channelId, platform } = facts;
  const { upstreamId, answer } = taken;
  const acceptedAt = isoTime(core.clock().getTime());
  const { outcome, used } = takenCache(taken, { work, facts, acceptedAt });
  const upstreamModel = work.upstreamModel === work.model ? null : work.upstreamModel;
  await money.accepted(outcome, { channelId, tried: [channelId], upstreamModel, used });
  await untilShown(core, platform, { taskId, upstreamId });
  return cacheObject({ task: { taskId }, properties: { model: work.model } }, answer);
};

const submit = async (core: RelayCore, incoming: Incoming, begun: Begun): Promise<void> => {
  const { channelId } = begun.facts;
  const ending = { channelId, tried: [channelId] };
  try {
    const taken = await submitTo(core, incoming, begun.work);
    if (!isApiError(taken)) {
      sendJson(incoming, 200, await accepted(core, begun, taken));
      return;
    }
    const reason = `${taken.code ?? ''} ${taken.message}`.trim().slice(0, maxReason);
    const refusal = { kind: 'refused', code: null, reason } as const;
    await begun.money.refused(refusal, { ...ending, status: taken.status });
    sendError(incoming.res, taken, incoming.requestId);
  } catch (error) {
    const refusal = { kind: 'refused', code: null, reason: 'internal_error' } as const;
    if (!begun.money.isEnded) await begun.money.refused(refusal, { ...ending, status: 500 });
    throw error;
  }
};

/** false: there is no quota for it, and the provider was not called. */
const reserved = async (
  core: RelayCore,
  incoming: Incoming,
  work: PlannedCache,
): Promise<boolean> => {
  const { quote, caller } = work;
  const usage = usageOf(work.promptTokens);
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

type Asked = Readonly<{ caller: Caller; raw: Buffer }>;

/** POST /v1beta/cachedContents: admitted by a count of the contents, charged once by the provider's. */
export const createCache = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, raw }: Asked,
): Promise<void> => {
  const fail = (error: ApiError) => sendError(incoming.res, error, incoming.requestId);
  const owner = caller.account.userId;
  const given = await new Promise<ScannedBody | ApiError>((resolve) => {
    examineBody(core, { raw, owner }, resolve);
  });
  if (isApiError(given)) return fail(given);
  const work = await planCache(core, { caller, given });
  if (isApiError(work)) return fail(work);
  const { group, model, promptTokens } = work;
  const go = () => reserved(core, incoming, work);
  const limited = await withTaskPermit(core, incoming, { caller, group, model, promptTokens, go });
  if (limited !== null) fail(limited);
};
