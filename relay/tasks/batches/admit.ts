import { quoteFor, withExtras } from '../../../domain/pricing/quote.ts';
import { searchesAlways } from '../../../domain/pricing/tool-prices.ts';
import type { Quote } from '../../../domain/pricing/types.ts';
import type { BatchWire } from '../../../domain/task/batch.ts';
import { checkAddress, checkModel, groupOf, routeFor } from '../../admission/access.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import { unpriced } from '../../admission/refusals.ts';
import { sensitiveWords, wordInBody } from '../../admission/sensitive-words.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { ratioOf } from '../../feeds/task-settings.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../../protocol/api-error.ts';
import { takesBatches } from '../../providers/batch-adapters.ts';
import { channelSetting } from '../../providers/shared/outgoing.ts';
import { chooseChannel } from '../../routing/choose.ts';
import { fitTiers } from '../fit-tiers.ts';
import type { BatchRequest } from './batch-request.ts';
import { invalid } from './refused.ts';

/** The group that a call about batches is routed and priced under; or why it is not taken. */
export const groupFor = (core: RelayCore, incoming: Incoming, caller: Caller): string | ApiError =>
  checkAddress(caller, core.clientAddress(incoming.req)) ??
  groupOf(caller, core.options.current().prices);

export type Asker = Readonly<{ caller: Caller; group: string }>;

/** May the caller have batches of this model? */
const modelProblem = ({ caller }: Asker, model: string): ApiError | null =>
  checkModel(caller, model) ??
  (searchesAlways(model)
    ? invalid('unsupported_model', `Model ${model} is not offered in batches`, 'model')
    : null);

/** Its channels answer single calls, and asking again changes nothing. */
const noBatches = (model: string): ApiError =>
  invalid(
    'batches_not_offered',
    `Batches of model ${model} are not offered: no channel of it takes them by this API`,
    'model',
  );

/** The channel that takes a batch of this model by this wire. */
export const batchChannel = (
  core: RelayCore,
  asker: Asker,
  { model, wire }: Readonly<{ model: string; wire: BatchWire }>,
): UpstreamChannel | ApiError => {
  const problem = modelProblem(asker, model);
  if (problem !== null) return problem;
  const { caller, group } = asker;
  const route = routeFor(caller, core.channels.table(), { group, model });
  if (isApiError(route)) return route;
  const all = route.pinned === null ? route.tiers : [{ priority: 0, channels: [route.pinned] }];
  const tiers = fitTiers(all, (type) => takesBatches(type, wire));
  return chooseChannel(tiers, []) ?? noBatches(model);
};

/** The price of a batch, frozen into its charge: that of single calls, times the ratio for batches. */
export const batchQuote = (
  core: RelayCore,
  { caller, group }: Asker,
  { model, channel }: Readonly<{ model: string; channel: UpstreamChannel }>,
): Quote | ApiError => {
  const { prices, batches } = core.options.current();
  const acceptUnpriced = caller.account.acceptUnsetModelRatioModel;
  const quote = quoteFor(prices, { model, group, acceptUnpriced });
  if (quote === 'unpriced') return unpriced(model);
  const batchRatio = ratioOf(channelSetting(channel).batch_ratio) ?? batches.ratio;
  return withExtras(prices, quote, { batchRatio });
};

/** Why a request may not go up in a batch of this caller; null: it may. */
export const requestProblem = (
  core: RelayCore,
  asker: Asker,
  { model, body }: Pick<BatchRequest, 'model' | 'body'>,
): ApiError | null => {
  const problem = modelProblem(asker, model);
  const words = core.options.current().filter.prompt;
  if (problem !== null || words === null) return problem;
  const word = wordInBody(words, Buffer.from(JSON.stringify(body)));
  if (word === null) return null;
  const { userId } = asker.caller.account;
  core.logger.warn({ userId, word }, 'a batch holds a sensitive word');
  return sensitiveWords;
};
