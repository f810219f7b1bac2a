import { quoteFor, withExtras } from '../../../domain/pricing/quote.ts';
import type { Quote, Usage } from '../../../domain/pricing/types.ts';
import { checkModel, groupOf, routeFor } from '../../admission/access.ts';
import type { Caller } from '../../admission/caller.ts';
import { unpriced } from '../../admission/refusals.ts';
import { checkPrompt } from '../../admission/sensitive-words.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { ratioOf } from '../../feeds/task-settings.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../../protocol/api-error.ts';
import type { ScannedBody } from '../../protocol/normalise.ts';
import { cacheAdapterOf } from '../../providers/cache-adapters.ts';
import { upstreamModelOf } from '../../providers/shared/mapped-model.ts';
import { channelSetting } from '../../providers/shared/outgoing.ts';
import { chooseChannel } from '../../routing/choose.ts';
import { invalid } from '../batches/refused.ts';
import { prepared } from '../call-provider.ts';
import { fitTiers } from '../fit-tiers.ts';
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
  invalid(
    'caches_not_offered',
    `Cached contents of model ${model} are not offered: no channel of it has them`,
    'model',
  );

const placeFor = (
  core: RelayCore,
  caller: Caller,
  asked: Readonly<{ group: string; model: string }>,
): CachePlace | ApiError => {
  const route = routeFor(caller, core.channels.table(), asked);
  if (isApiError(route)) return route;
  const all = route.pinned === null ? route.tiers : [{ priority: 0, channels: [route.pinned] }];
  const tiers = fitTiers(all, (type) => cacheAdapterOf(type) !== undefined);
  const channel = chooseChannel(core.coolDowns.available(tiers), []) ?? chooseChannel(tiers, []);
  const adapter = channel === null ? undefined : cacheAdapterOf(channel.type);
  return channel === null || adapter === undefined ? notOffered(asked.model) : { channel, adapter };
};

/** What is read in is paid as tokens written to a cache; a channel may have its own ratio for it. */
const quoteOf = (
  core: RelayCore,
  caller: Caller,
  { group, model, channel }: Readonly<{ group: string; model: string; channel: UpstreamChannel }>,
): Quote | ApiError => {
  const acceptUnpriced = caller.account.acceptUnsetModelRatioModel;
  const { prices } = core.options.current();
  const quote = quoteFor(prices, { model, group, acceptUnpriced });
  if (quote === 'unpriced') return unpriced(model);
  const own = ratioOf(channelSetting(channel).cache_creation_ratio);
  return own === null ? quote : withExtras(prices, quote, { cacheCreationRatio: own });
};

export const usageOf = (tokens: number): Usage => ({
  ...noUsage,
  promptTokens: tokens,
  cacheCreationTokens: tokens,
});

type Given = Readonly<{ caller: Caller; given: ScannedBody }>;
type Checked = Readonly<{ group: string; order: CacheOrder; place: CachePlace }>;

/** May the caller have this cache, and where? */
const checked = (core: RelayCore, { caller, given }: Given): Checked | ApiError => {
  const order = readCacheOrder(given.body, core.clock().getTime());
  if (isApiError(order)) return order;
  const group = groupOf(caller, core.options.current().prices);
  if (typeof group !== 'string') return group;
  const { model } = order;
  const place = checkModel(caller, model) ?? placeFor(core, caller, { group, model });
  return isApiError(place) ? place : { group, order, place };
};

const wordsOf = (core: RelayCore, { caller, given }: Given): ApiError | null => {
  const { userId } = caller.account;
  const { body, word } = given;
  return checkPrompt(core, { operation: 'chat', body, userId, word });
};

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

/** The checks of an order, in the order of every call: body, group, model, channels, words, price. */
export const planCache = async (
  core: RelayCore,
  given: Given,
): Promise<PlannedCache | ApiError> => {
  const found = checked(core, given);
  if (isApiError(found)) return found;
  const { group, order, place } = found;
  const { model, lifetimeSeconds } = order;
  const { channel, adapter } = place;
  const maxSeconds = maxLifetimeOf(channel);
  if (lifetimeSeconds !== null && lifetimeSeconds > maxSeconds + 1) return tooLong(maxSeconds);
  const { caller } = given;
  const quote = wordsOf(core, given) ?? quoteOf(core, caller, { group, model, channel });
  if (isApiError(quote)) return quote;
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
