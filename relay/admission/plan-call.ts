import { quoteFor, withExtras } from '../../domain/pricing/quote.ts';
import type { Quote } from '../../domain/pricing/types.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import type { CallMedia, TextCall, TextOperation } from '../protocol/calls.ts';
import type { ScannedBody } from '../protocol/normalise.ts';
import { isMedia } from '../protocol/operations.ts';
import { fieldText, filesOf } from '../protocol/scan-form.ts';
import { resolveTransport } from '../providers/transport.ts';
import { capableTiers } from '../routing/capable.ts';
import { chooseChannel } from '../routing/choose.ts';
import type { Route } from './access.ts';
import { type AdmitDeps, admit, type Routed, type Rules } from './admit.ts';
import type { Incoming } from './admitted.ts';
import { checkMedia } from './check-media.ts';
import { extrasOf } from './extra-tools.ts';
import { routeWithin } from './input-limit.ts';
import { modelFor } from './model-name.ts';
import { checkNative } from './native-limits.ts';
import { wordInBody } from './sensitive-words.ts';
import { callOf, type TextIngress, type TextRoute } from './text-call.ts';
import { checkContents, checkText, type TextLimits } from './validate.ts';

/** A call that passed every check but the reservation. */
export type Planned = Readonly<{
  call: TextCall;
  group: string;
  route: Route;
  channel: UpstreamChannel;
  quote: Quote;
  outputLimit: number | null;
}>;

type CallLimits = TextLimits & Readonly<{ media?: CallMedia }>;

const limitsOf = (route: TextRoute, given: ScannedBody, model: string): CallLimits | ApiError => {
  const { operation, protocol, path } = route;
  if (isMedia(operation)) return checkMedia({ operation, path, model }, given);
  switch (protocol) {
    case 'gemini':
      return checkContents(operation, given.body);
    case 'cohere':
    case 'ollama':
      return checkNative(route, given);
    default:
      return checkText(operation, given.body, given.scan);
  }
};

/** The text of a call that is checked for sensitive words, as JSON; of a form, its image prompt. */
const checkedText = ({ body, form }: ScannedBody): Buffer => {
  if (form === undefined) return body;
  const isPicture = filesOf(form).every(({ name }) => name !== 'file');
  const prompt = isPicture ? fieldText(body, form, 'prompt') : undefined;
  return Buffer.from(JSON.stringify({ prompt }));
};

/** Seldom more than one draw: channels of one model offer the same calls as a rule. */
const chooseCapable = (
  { coolDowns }: AdmitDeps,
  { call }: TextDraft,
  { tiers: all }: Route,
): UpstreamChannel | null => {
  const tiers = coolDowns.available(all);
  const drawn = chooseChannel(tiers, []);
  const isCapable = drawn === null || call === null || resolveTransport(drawn, call) !== null;
  if (isCapable) return drawn;
  return chooseChannel(coolDowns.available(capableTiers(all, call)), []);
};

export type GivenText = Readonly<{
  ingress: TextIngress;
  /** An error: it cannot be used. */
  given: ScannedBody | ApiError;
  /** Counted where a channel takes prompts up to a length only. */
  promptTokens?: number;
  /** The channel that stores what the call continues. */
  madeBy?: ChannelId | undefined;
}>;

/** A text call while it is admitted. */
type TextDraft = {
  readonly incoming: Incoming;
  readonly ingress: TextIngress;
  readonly given: ScannedBody;
  readonly promptTokens: number | undefined;
  call: TextCall | null;
  outputLimit: number | null;
};

/** Channels that take a prompt of this length; and the limits of the operation. */
const fit = (_core: AdmitDeps, routed: Routed<TextDraft>): Route | ApiError => {
  const { call: draft, model } = routed;
  const route = routeWithin(routed.route, draft.promptTokens);
  if (isApiError(route)) return route;
  const { given, incoming, ingress } = draft;
  const limits = limitsOf(ingress.route, given, model);
  if (isApiError(limits)) return limits;
  draft.outputLimit = limits.outputLimit;
  draft.call = callOf(incoming, ingress.route, { given, model, media: limits.media });
  return route;
};

/** Answers of embeddings and rerank hold no text (infra/reference/protocols.md, section 8.1). */
const unchecked: ReadonlySet<TextOperation> = new Set(['embeddings', 'rerank']);

const textRules: Rules<TextDraft> = {
  fit,
  choose: chooseCapable,
  word: (words, { given, ingress }) => {
    if (unchecked.has(ingress.route.operation)) return null;
    return given.word === undefined ? wordInBody(words, checkedText(given)) : given.word;
  },
  quote: (prices, { call: { call, given }, caller, model, group, channel }) => {
    const acceptUnpriced = caller.account.acceptUnsetModelRatioModel;
    const plain = quoteFor(prices, { model, group, acceptUnpriced });
    if (plain === 'unpriced') return plain;
    return withExtras(prices, plain, extrasOf(given, model, { media: call?.media, channel }));
  },
};

/** Admits a text call: the steps that follow its body. The reservation follows last. */
export const planCall = (
  core: AdmitDeps,
  incoming: Incoming,
  { ingress, given: read, promptTokens, madeBy }: GivenText,
): Planned | ApiError => {
  if (isApiError(read)) return read;
  const named = modelFor(ingress, read);
  if (isApiError(named)) return named;
  const { model, given } = named;
  const { caller, entry } = ingress;
  const draft: TextDraft = {
    incoming,
    ingress,
    given,
    promptTokens,
    call: null,
    outputLimit: null,
  };
  const admission = admit(core, incoming, {
    entry,
    caller,
    model,
    madeBy,
    rules: textRules,
    call: draft,
  });
  if (isApiError(admission)) return admission;
  const { call, outputLimit } = draft;
  if (call === null) throw new Error('a text call was admitted without its limits');
  const { group, route, channel, quote } = admission;
  return { call, group, route, channel, quote, outputLimit };
};
