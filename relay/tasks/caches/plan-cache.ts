import { quoteFor, withExtras } from '../../../domain/pricing/quote.ts';
import type { Quote, Usage } from '../../../domain/pricing/types.ts';
import { admit, type Rules } from '../../admission/admit.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import { wordInBody } from '../../admission/sensitive-words.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { ratioOf } from '../../feeds/task-settings.ts';
import { type ApiError, isApiError } from '../../protocol/api-error.ts';
import type { ScannedBody } from '../../protocol/normalise.ts';
import { callError } from '../../protocol/relay-errors.ts';
import { cacheAdapterOf } from '../../providers/cache-adapters.ts';
import { upstreamModelOf } from '../../providers/shared/mapped-model.ts';
import { channelSetting } from '../../providers/shared/outgoing.ts';
import { prepared } from '../call-provider.ts';
import { fitRoute } from '../fit-tiers.ts';
import { noUsage } from '../price.ts';
import { type CachePlace, maxLifetimeOf, tooLong } from './own-cache.ts';
import { type CacheOrder, readCacheOrder } from './read-order.ts';

/** Google's default lifetime of a cache. */
const providersSeconds = 3_600;

/** A cache that passed every check but the reservation. */
export type PlannedCache = Readonly<{
  place: CachePlace;
  caller: Caller;
  group: string;
  model: string;
  upstreamModel: string;
  body: Buffer;
  quote: Quote;
  /** By the relay's own count; the provider's counts in the end. */
  promptTokens: number;
  /** No honest count of the provider is above it. */
  maxTokens: number;
}>;

/** Its channels answer single calls, and asking again changes nothing. */
const notOffered = (model: string): ApiError =>
  callError(
    'caches_not_offered',
    `Cached contents of model ${model} are not offered: no channel of it has them`,
    'model',
  );

type CacheCall = Readonly<{ order: CacheOrder; given: ScannedBody }>;

const rules: Rules<CacheCall> = {
  fit: (_core, { route, model }) => {
    const isFit = (type: number): boolean => cacheAdapterOf(type) !== undefined;
    return fitRoute(route, isFit, () => notOffered(model));
  },
  word: (words, { given: { body, word } }) => (word === undefined ? wordInBody(words, body) : word),
  // What is read in is paid as tokens written to a cache; a channel may have its own ratio for it.
  quote: (prices, { caller, group, model, channel }) => {
    const acceptUnpriced = caller.account.acceptUnsetModelRatioModel;
    const quote = quoteFor(prices, { model, group, acceptUnpriced });
    if (quote === 'unpriced') return quote;
    const own = ratioOf(channelSetting(channel).cache_creation_ratio);
    return own === null ? quote : withExtras(prices, quote, { cacheCreationRatio: own });
  },
};

export const usageOf = (tokens: number): Usage => ({
  ...noUsage,
  promptTokens: tokens,
  cacheCreationTokens: tokens,
});

type Given = Readonly<{ caller: Caller; given: ScannedBody }>;
/** The longest window of any model: what files hold that an order names by their address. */
const maxWindow = 2_097_152;
const tokensPerBlob = 65_536;
const hiddenTokens = 8_192;
const fileMarks = ['"fileData"', '"file_data"'].map((mark) => Buffer.from(mark));

/** A token takes a byte at least. */
const maxTokensOf = ({ body, scan }: ScannedBody): number => {
  const bound = body.length + scan.blobs * tokensPerBlob + hiddenTokens;
  return fileMarks.some((mark) => body.includes(mark)) ? maxWindow : Math.min(bound, maxWindow);
};

/** Admits an order of a cache. */
export const planCache = async (
  core: RelayCore,
  incoming: Incoming,
  given: Given,
): Promise<PlannedCache | ApiError> => {
  const { caller } = given;
  const order = readCacheOrder(given.given.body, core.clock().getTime());
  if (isApiError(order)) return order;
  const { model, lifetimeSeconds } = order;
  const call = { order, given: given.given };
  const admission = admit(core, incoming, { entry: 'cache-order', caller, model, rules, call });
  if (isApiError(admission)) return admission;
  const { group, channel, quote } = admission;
  const adapter = cacheAdapterOf(channel.type);
  if (adapter === undefined) return notOffered(model);
  const place = { channel, adapter };
  const maxSeconds = maxLifetimeOf(channel);
  if (lifetimeSeconds !== null && lifetimeSeconds > maxSeconds + 1) return tooLong(maxSeconds);
  const upstreamModel = upstreamModelOf(channel, model);
  if (isApiError(upstreamModel)) return upstreamModel;
  if (!adapter.serves(upstreamModel)) return notOffered(model);
  const { body, scan } = given.given;
  const { userId } = caller.account;
  const promptTokens = await core.counting.prompt({ body, scan, model, userId });
  if (isApiError(promptTokens)) return promptTokens;
  const isShorter = lifetimeSeconds === null && maxSeconds < providersSeconds;
  const options = core.options.current();
  const ttlSeconds = isShorter ? maxSeconds : null;
  const terms = { channel, options, requestedModel: model, ttlSeconds };
  const own = await prepared(core, channel, () => adapter.order(body, upstreamModel, terms));
  if (isApiError(own)) return own;
  const maxTokens = maxTokensOf(given.given);
  const paid = { quote, promptTokens, maxTokens };
  return { place, caller, group, model, upstreamModel, body: own, ...paid };
};
