import { price } from '../../domain/pricing/price.ts';
import type { Quote } from '../../domain/pricing/types.ts';
import type { Caller } from '../admission/caller.ts';
import type { Planned } from '../admission/plan-call.ts';
import { type Needed, neededFor } from '../admission/reserve-call.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import type { Protocol } from '../protocol/caller-protocol.ts';
import { largeBytes } from '../protocol/large-body.ts';
import { type ScannedBody, scannedOrError } from '../protocol/normalise.ts';
import { scanMembers } from '../protocol/scan-body.ts';
import { valueText } from '../protocol/splice.ts';
import { type CachedCall, cachedCall, namedCache } from '../tasks/caches/cached-call.ts';
import { noUsage } from '../tasks/price.ts';

/* What a call reads from a cache is not in its body, and is part of its maximum cost. */

/** Units for tokens that are read from a cache; a price for the call has them in it. */
export const costOfCached = (quote: Quote, tokens: number): number =>
  tokens === 0 || quote.kind === 'price'
    ? 0
    : price({ ...noUsage, promptTokens: tokens, cachedTokens: tokens }, quote);

type Asked = Readonly<{ ingress: Readonly<{ caller: Caller }>; cachedTokens?: number }>;

/** The estimate of a call with what it reads from a cache, which is not in its body. */
export const neededWith = (
  core: RelayCore,
  planned: Planned,
  { ingress, cachedTokens = 0 }: Asked,
): Needed => {
  const needed = neededFor(core, planned, ingress.caller);
  const more = costOfCached(planned.quote, cachedTokens);
  if (more === 0) return needed;
  // The size of what is read is known: such a call is not an open one.
  const need = needed.estimated + more;
  return { ...needed, need, least: need, estimated: need, hasFloor: false };
};

type Counting = Pick<RelayCore, 'options' | 'leaseBook' | 'counting'>;

/** The same as tokens of a prompt, on top of each count. */
export const withCachedCount = (
  core: Counting,
  { quote }: Planned,
  cachedTokens: number,
): Counting => {
  if (cachedTokens === 0 || quote.kind === 'price') return core;
  const more = Math.ceil(cachedTokens * Number(quote.cacheRatio));
  const { options, leaseBook, counting } = core;
  const prompt: Counting['counting']['prompt'] = async (request) => {
    const tokens = await counting.prompt(request);
    return typeof tokens === 'number' ? tokens + more : tokens;
  };
  return { options, leaseBook, counting: { ...counting, prompt } };
};

type Counted = Readonly<{ given: ScannedBody; protocol: Protocol; caller: Caller; model: string }>;
type CountedPrompt = Pick<Counted, 'given'> &
  Readonly<{ madeBy: CachedCall['madeBy'] | undefined; cachedTokens: number }>;

/** What is counted: the body itself, or the request inside it. */
const innerOf = ({ given }: Counted): ScannedBody | ApiError => {
  const members = scanMembers(given.body);
  const inner = members?.get('generateContentRequest') ?? members?.get('generate_content_request');
  return inner === undefined ? given : scannedOrError(Buffer.from(valueText(given.body, inner)));
};

/** A prompt that is to be counted, with the cache that it names. Providers are not sent long ones. */
export const countedPrompt = async (
  core: RelayCore,
  asked: Counted,
): Promise<CountedPrompt | ApiError> => {
  const { given, protocol, caller, model } = asked;
  const plain = { given, madeBy: undefined, cachedTokens: 0 };
  const isShort = given.body.length < largeBytes;
  if (protocol !== 'gemini' || !isShort) return plain;
  const inner = innerOf(asked);
  if (isApiError(inner)) return inner;
  const named = namedCache(inner, protocol);
  if (named === null || isApiError(named)) return named ?? plain;
  const call = await cachedCall(core, { caller, model, named });
  if (isApiError(call)) return call;
  const whole = scannedOrError(call.body);
  return isApiError(whole) ? whole : { ...call, given: whole };
};
