import { quoteFor, withExtras } from '../../../domain/pricing/quote.ts';
import { searchesAlways } from '../../../domain/pricing/tool-prices.ts';
import type { BatchWire } from '../../../domain/task/batch.ts';
import { checkModel, groupOf } from '../../admission/access.ts';
import { type Admission, admit, type Rules } from '../../admission/admit.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import { checkWords, wordInBody } from '../../admission/sensitive-words.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { ratioOf } from '../../feeds/task-settings.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import { callError } from '../../protocol/relay-errors.ts';
import { takesBatches } from '../../providers/batch-adapters.ts';
import { channelSetting } from '../../providers/shared/outgoing.ts';
import { fitRoute } from '../fit-tiers.ts';
import type { BatchRequest } from './batch-request.ts';

export type Asker = Readonly<{ caller: Caller; group: string }> & Pick<Incoming, 'progress'>;

/** It searches with each call, which no batch of it reports. */
const searchProblem = (model: string): ApiError | null =>
  searchesAlways(model)
    ? callError('unsupported_model', `Model ${model} is not offered in batches`, 'model')
    : null;

/** Its channels answer single calls, and asking again changes nothing. */
const noBatches = (model: string): ApiError =>
  callError(
    'batches_not_offered',
    `Batches of model ${model} are not offered: no channel of it takes them by this API`,
    'model',
  );

/** Work of one model by one API; words are checked request by request, as they are read. */
type BatchCall = Readonly<{ wire: BatchWire }>;

/** The price is that of single calls, times the ratio for batches. */
const rules: Rules<BatchCall> = {
  fit: (_core, { call: { wire }, route, model }) => {
    const isFit = (type: number): boolean => takesBatches(type, wire);
    return searchProblem(model) ?? fitRoute(route, isFit, () => noBatches(model));
  },
  word: () => null,
  quote: (prices, { caller, model, group, channel }, { options }) => {
    const acceptUnpriced = caller.account.acceptUnsetModelRatioModel;
    const quote = quoteFor(prices, { model, group, acceptUnpriced });
    if (quote === 'unpriced') return quote;
    const own = ratioOf(channelSetting(channel).batch_ratio);
    return withExtras(prices, quote, { batchRatio: own ?? options.current().batches.ratio });
  },
};

type Wanted = Readonly<{
  asker: Omit<Asker, 'group'>;
  model: string;
  wire: BatchWire;
  /** Where the file of the batch is; null: not chosen yet. */
  place: UpstreamChannel | null;
}>;

/** Admits a file of requests, or a batch of them. */
export const admitBatch = <E extends 'file-upload' | 'batch-order'>(
  core: RelayCore,
  entry: E,
  { wire, asker, ...wanted }: Wanted,
): Admission<E> | ApiError =>
  admit<E, BatchCall>(core, asker, {
    ...{ entry, caller: asker.caller, rules, call: { wire } },
    ...wanted,
  });

/** The group of a call about batches, before any of its requests is read. */
export const groupFor = (core: RelayCore, caller: Caller): string | ApiError =>
  groupOf(caller, core.options.current().prices);

/** Why a request may not go up in a batch of this caller; null: it may. */
export const requestProblem = (
  core: RelayCore,
  { caller }: Asker,
  { model, body }: Pick<BatchRequest, 'model' | 'body'>,
): ApiError | null => {
  const problem = checkModel(caller, model) ?? searchProblem(model);
  const words = core.options.current().filter.prompt;
  if (problem !== null || words === null) return problem;
  return checkWords(core, caller, wordInBody(words, Buffer.from(JSON.stringify(body))));
};
