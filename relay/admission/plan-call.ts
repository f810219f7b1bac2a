import { quoteFor, withExtras } from '../../domain/pricing/quote.ts';
import type { Quote } from '../../domain/pricing/types.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { ClientAddress } from '../../infra/web/client-address.ts';
import type { ChannelDirectory, Tier } from '../feeds/channel-directory.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import type { CallMedia, TextCall } from '../protocol/calls.ts';
import type { ScannedBody } from '../protocol/normalise.ts';
import { isMedia } from '../protocol/operations.ts';
import { fieldText, filesOf } from '../protocol/scan-form.ts';
import { resolveTransport } from '../providers/transport.ts';
import { capableTiers } from '../routing/capable.ts';
import { chooseChannel } from '../routing/choose.ts';
import type { CoolDowns } from '../routing/cool-down.ts';
import { checkAddress, checkModel, groupOf, type Route, routeFor, routeTo } from './access.ts';
import type { Incoming } from './admitted.ts';
import { checkMedia } from './check-media.ts';
import type { AdmissionDeps } from './deps.ts';
import { extrasOf } from './extra-tools.ts';
import { routeWithin } from './input-limit.ts';
import { modelFor } from './model-name.ts';
import { checkNative } from './native-limits.ts';
import { unpriced } from './refusals.ts';
import { checkPrompt } from './sensitive-words.ts';
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

type PlanDeps = Pick<AdmissionDeps, 'options' | 'logger'> &
  Readonly<{ channels: ChannelDirectory; clientAddress: ClientAddress; coolDowns: CoolDowns }>;

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
const firstChannel = (
  coolDowns: CoolDowns,
  all: readonly Tier[],
  call: TextCall,
): UpstreamChannel | null => {
  const tiers = coolDowns.available(all);
  const drawn = chooseChannel(tiers, []);
  const isCapable = drawn === null || resolveTransport(drawn, call) !== null;
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

/**
 * The checks of a text call, in their order: address of the token, body, ambiguous fields, model,
 * group, model access, channels of group and model, input limit, limits of the operation, sensitive
 * words, price. The token itself and the rate limit are checked before the body is read; the
 * reservation follows last.
 */
export const planCall = (
  core: PlanDeps,
  incoming: Incoming,
  { ingress, given: read, promptTokens, madeBy }: GivenText,
): Planned | ApiError => {
  const { route: asked, caller } = ingress;
  const barred = checkAddress(caller, core.clientAddress(incoming.req));
  if (barred !== null) return barred;
  if (isApiError(read)) return read;
  const named = modelFor(ingress, read);
  if (isApiError(named)) return named;
  const { model, given } = named;
  const { prices } = core.options.current();
  const group = groupOf(caller, prices);
  if (typeof group !== 'string') return group;
  const refused = checkModel(caller, model);
  if (refused !== null) return refused;
  const open = routeTo(routeFor(caller, core.channels.table(), { group, model }), madeBy);
  const route = routeWithin(open, promptTokens);
  if (isApiError(route)) return route;
  const limits = limitsOf(asked, given, model);
  if (isApiError(limits)) return limits;
  const { operation } = asked;
  const forbidden = checkPrompt(core, {
    operation,
    body: checkedText(given),
    userId: caller.account.userId,
    word: given.word,
  });
  if (forbidden !== null) return forbidden;
  const acceptUnpriced = caller.account.acceptUnsetModelRatioModel;
  const plain = quoteFor(prices, { model, group, acceptUnpriced });
  if (plain === 'unpriced') return unpriced(model);
  const { media } = limits;
  const call = callOf(incoming, asked, { given, model, media });
  const channel = route.pinned ?? firstChannel(core.coolDowns, route.tiers, call);
  if (channel === null) return unpriced(model);
  const quote = withExtras(prices, plain, extrasOf(given, model, { media, channel }));
  return { call, group, route, channel, quote, outputLimit: limits.outputLimit };
};
