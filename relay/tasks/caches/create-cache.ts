import { writeCacheProperties } from '../../../domain/task/cache.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import { examineBody } from '../../admission/examine-body.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { type ApiError, isApiError, sendError } from '../../protocol/api-error.ts';
import { textAt } from '../../protocol/json.ts';
import type { ScannedBody } from '../../protocol/normalise.ts';
import type { CacheContext } from '../../providers/shared/gemini/caches.ts';
import { apiRefusal, type Submission, submissionOf } from '../job.ts';
import { submitJob } from '../submit-job.ts';
import { tracedTask } from '../task-trace.ts';
import { cacheObject, callCaches } from './own-cache.ts';
import { type PlannedCache, planCache, usageOf } from './plan-cache.ts';
import { takenCache } from './taken-cache.ts';

const timeoutMs = 120_000;

const submitTo = async (
  core: RelayCore,
  incoming: Incoming,
  work: PlannedCache,
): Promise<Submission> => {
  const { place, body, model, upstreamModel } = work;
  const { adapter, channel } = place;
  const traced = tracedTask(incoming, 'cache', upstreamModel);
  const at = (context: CacheContext) => adapter.all(context, model);
  const reply = await callCaches(core, channel, { method: 'POST', at, body, timeoutMs, traced });
  return submissionOf(reply, channel, (answer) => {
    const name = textAt(answer, 'name');
    const taken = { upstreamId: adapter.isName(name) ? name : '', answer };
    const shown = ({ taskId }: { taskId: string }) =>
      cacheObject({ task: { taskId }, properties: { model } }, answer);
    return { ...takenCache(taken, work), upstreamModel, shown };
  });
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
    examineBody(core, { raw, owner, protocol: 'gemini' }, resolve);
  });
  if (isApiError(given)) return fail(given);
  const work = await planCache(core, incoming, { caller, given });
  if (isApiError(work)) return fail(work);
  const { group, model, promptTokens, quote, place } = work;
  const properties = writeCacheProperties({ model });
  return submitJob(core, incoming, {
    caller,
    facts: { platform: 'cache', action: 'CACHE', model, group, prompt: '', state: '', properties },
    quote,
    usage: usageOf(promptTokens),
    destination: { channel: place.channel, tiers: [] },
    submit: () => submitTo(core, incoming, work),
    refusalOf: apiRefusal,
  });
};
