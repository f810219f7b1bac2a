import type { PriceTable } from '../../domain/pricing/compile-prices.ts';
import type { Quote } from '../../domain/pricing/types.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { ChannelDirectory } from '../feeds/channel-directory.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { WordMatcher } from '../feeds/word-matcher.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import { chooseChannel } from '../routing/choose.ts';
import type { CoolDowns } from '../routing/cool-down.ts';
import { checkModel, groupOf, type Route, routeFor, routeTo } from './access.ts';
import type { Incoming } from './admitted.ts';
import type { Caller } from './caller.ts';
import type { AdmissionDeps } from './deps.ts';
import { type Entry, entries, type Step } from './entries.ts';
import { noChannel, unpriced } from './refusals.ts';
import { checkWords } from './sensitive-words.ts';

export type AdmitDeps = Pick<AdmissionDeps, 'options' | 'logger'> &
  Readonly<{ channels: ChannelDirectory; coolDowns: CoolDowns }>;

/** A call and its possible channels. */
export type Routed<Call> = Readonly<{ call: Call; route: Route; model: string }>;

/** What decides the price of a call. */
type Priced<Call> = Readonly<{
  call: Call;
  caller: Caller;
  model: string;
  group: string;
  channel: UpstreamChannel;
}>;

/** What the steps require of the calls of an entry. Static: nothing is allocated for a call. */
export type Rules<Call> = Readonly<{
  /** The route without the channels that cannot serve the call, or what is wrong with the call. */
  fit?: (core: AdmitDeps, routed: Routed<Call>) => Route | ApiError;
  /** The channel that is called first; null: there is none. */
  choose?: (core: AdmitDeps, call: Call, route: Route) => UpstreamChannel | null;
  /** The first sensitive word in the prompt; null: there is none. */
  word: (words: WordMatcher, call: Call) => string | null;
  quote: (prices: PriceTable, priced: Priced<Call>, core: AdmitDeps) => Quote | 'unpriced';
}>;

/** A call to admit. */
export type Ask<E extends Entry, Call> = Readonly<{
  entry: E;
  caller: Caller;
  /** As the caller named it; "": the entry has no model. */
  model: string;
  /** Name of the model in older lists of keys and channels. */
  alias?: string;
  /** Channel that stores what the call continues: the only one to call, as long as it serves the model. */
  madeBy?: ChannelId | undefined;
  /** Channel that stores what the call continues: the only one that can answer. */
  place?: UpstreamChannel | null;
  rules: Rules<Call>;
  call: Call;
}>;

type Draft = {
  group: string;
  route: Route;
  channel: UpstreamChannel | null;
  quote: Quote | null;
};

/** Where a call goes and at what price; null where no step of its entry decides it. */
export type Admission<E extends Entry> = Readonly<{
  group: string;
  route: Route;
  channel: (typeof entries)[E]['channel'] extends true ? UpstreamChannel : null;
  quote: (typeof entries)[E]['price'] extends true ? Quote : null;
}>;

type AnyAsk = Ask<Entry, unknown>;
type Check = (core: AdmitDeps, ask: AnyAsk, draft: Draft) => ApiError | null;

const group: Check = (core, { caller }, draft) => {
  const name = groupOf(caller, core.options.current().prices);
  if (typeof name !== 'string') return name;
  draft.group = name;
  return null;
};

const model: Check = (_core, { caller, model: name, alias }) => {
  const refused = checkModel(caller, name);
  return refused !== null && alias !== undefined && checkModel(caller, alias) === null
    ? null
    : refused;
};

const routeOf = (core: AdmitDeps, ask: AnyAsk, draft: Draft): Route | ApiError => {
  const { caller, model: name, alias, madeBy, place } = ask;
  if (place !== undefined && place !== null) return { tiers: [], pinned: place };
  const table = core.channels.table();
  const route = routeFor(caller, table, { group: draft.group, model: name });
  const isUnserved = isApiError(route) && alias !== undefined && caller.pinnedChannelId === null;
  if (!isUnserved) return routeTo(route, madeBy);
  const older = routeFor(caller, table, { group: draft.group, model: alias });
  return isApiError(older) ? route : older;
};

const channel: Check = (core, ask, draft) => {
  const { rules, call } = ask;
  const open = routeOf(core, ask, draft);
  if (isApiError(open)) return open;
  const route =
    rules.fit === undefined ? open : rules.fit(core, { call, route: open, model: ask.model });
  if (isApiError(route)) return route;
  draft.route = route;
  draft.channel =
    route.pinned ??
    (rules.choose === undefined
      ? chooseChannel(core.coolDowns.available(route.tiers), [])
      : rules.choose(core, call, route));
  return draft.channel === null ? noChannel(ask.model, draft.group) : null;
};

const words: Check = (core, { rules, call, caller }) => {
  const matcher = core.options.current().filter.prompt;
  return matcher === null ? null : checkWords(core, caller, rules.word(matcher, call));
};

const price: Check = (core, { rules, call, caller, model: name }, draft) => {
  if (draft.channel === null) return unpriced(name);
  const { prices } = core.options.current();
  const terms = { call, caller, model: name, group: draft.group, channel: draft.channel };
  const quote = rules.quote(prices, terms, core);
  if (quote === 'unpriced') return unpriced(name);
  draft.quote = quote;
  return null;
};

/** The steps that follow the body, in the order of `steps`. */
const checks: readonly (readonly [Step, Check])[] = [
  ['group', group],
  ['model', model],
  ['channel', channel],
  ['words', words],
  ['price', price],
];

const nowhere: Route = { tiers: [], pinned: null };

/**
 * Admits a call whose body was read: its group, model, channel, words and price, as far as the table of
 * entries applies them. The steps before the body are `arrive`; limits of calls and quota follow.
 */
export const admit = <E extends Entry, Call>(
  core: AdmitDeps,
  { progress }: Pick<Incoming, 'progress'>,
  ask: Ask<E, Call>,
): Admission<E> | ApiError => {
  const row = entries[ask.entry];
  progress.model = ask.model;
  const draft: Draft = { group: '', route: nowhere, channel: null, quote: null };
  for (const [step, check] of checks) {
    if (row[step] !== true) continue;
    const refused = check(core, ask as unknown as AnyAsk, draft);
    if (refused !== null) return refused;
  }
  return draft as Admission<E>;
};

/** Of entries without a prompt and a price. */
export const noRules: Rules<null> = { word: () => null, quote: () => 'unpriced' };
