import { estimate } from '../../domain/pricing/estimate.ts';
import { quoteFor, withExtras } from '../../domain/pricing/quote.ts';
import type { Quote } from '../../domain/pricing/types.ts';
import { checkAddress, checkModel, groupOf, type Route, routeFor } from '../admission/access.ts';
import { type Caller, isApiError } from '../admission/caller.ts';
import { fundCall } from '../admission/fund-call.ts';
import type { Reservation } from '../admission/lease-book.ts';
import { checkPrompt } from '../admission/sensitive-words.ts';
import type { Admitted, Incoming } from '../exchange/admitted.ts';
import { Exchange } from '../exchange/exchange.ts';
import { asksForUsage } from '../providers/openai/body.ts';
import { isMedia } from '../providers/shared/operations.ts';
import type { CallMedia, TextCall } from '../providers/types.ts';
import type { RelayCore } from '../relay-core.ts';
import { chooseChannel } from '../routing/choose.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import { type ApiError, gatewayError, sendError } from './api-error.ts';
import { ambiguousField, checkMedia, defaultMediaModel } from './check-media.ts';
import { extrasOf } from './extra-ask.ts';
import { type ScannedBody, scanned, scannedForm } from './normalise.ts';
import { readBody } from './read-body.ts';
import { quotaBusy, refusalError, unpriced } from './refusals.ts';
import type { TextRoute } from './routes.ts';
import { fieldText, filesOf, isForm } from './scan-form.ts';
import { callOf, type TextIngress } from './text-call.ts';
import {
  checkContents,
  checkText,
  modelOf,
  noModel,
  notJson,
  type TextLimits,
} from './validate.ts';

type Planned = Readonly<{
  call: TextCall;
  group: string;
  route: Route;
  channel: UpstreamChannel;
  quote: Quote;
  outputLimit: number | null;
  address: string;
}>;

/** For moderations that name none (relay sheet, section 9). */
const defaultModerationModel = 'text-moderation-stable';

/** UTF-8 bytes for one token of prose; JSON and code take fewer, Chinese about as many. */
const bytesPerToken = 4;
/** A picture or a sound in the body, at the size of most. */
const tokensPerBlob = 1_100;

const promptEstimate = ({ body, scan }: TextCall): number =>
  Math.ceil((body.length - scan.blobBytes) / bytesPerToken) + scan.blobs * tokensPerBlob;

/** For calls that name none (relay sheet, section 9); null: there is no such thing. */
const defaultModel = ({ operation, path, fallbackModel }: TextRoute): string | null => {
  if (operation === 'moderations') return defaultModerationModel;
  return isMedia(operation) ? defaultMediaModel(operation, path) : (fallbackModel ?? null);
};

type CallLimits = TextLimits & Readonly<{ media?: CallMedia }>;

const limitsOf = (
  { operation, protocol, path }: TextRoute,
  given: ScannedBody,
  model: string,
): CallLimits | ApiError => {
  if (isMedia(operation)) return checkMedia({ operation, path, model }, given);
  return protocol === 'gemini'
    ? checkContents(operation, given.body)
    : checkText(operation, given.body, given.scan);
};

/** What a person says in a call, as JSON; of a form the wish for a picture (relay sheet, 17). */
const saidIn = ({ body, form }: ScannedBody): Buffer => {
  if (form === undefined) return body;
  const isPicture = filesOf(form).every(({ name }) => name !== 'file');
  const prompt = isPicture ? fieldText(body, form, 'prompt') : undefined;
  return Buffer.from(JSON.stringify({ prompt }));
};

type GivenText = Readonly<{
  ingress: TextIngress;
  /** null: not a JSON object. */
  given: ScannedBody | null;
}>;

const plan = (
  core: RelayCore,
  incoming: Incoming,
  { ingress, given }: GivenText,
): Planned | ApiError => {
  const { route: asked, caller } = ingress;
  const address = core.clientAddress(incoming.req);
  const barred = checkAddress(caller, address);
  if (barred !== null) return barred;
  if (given === null) return notJson;
  const model = asked.model ?? modelOf(given) ?? defaultModel(asked);
  if (model === null) return { ...noModel, code: ingress.noModelCode ?? noModel.code };
  const ambiguous = ambiguousField(given);
  if (ambiguous !== null) return ambiguous;
  const { prices } = core.options.current();
  const group = groupOf(caller, prices);
  if (typeof group !== 'string') return group;
  const refused = checkModel(caller, model);
  if (refused !== null) return refused;
  const route = routeFor(caller, core.channels.table(), { group, model });
  if (isApiError(route)) return route;
  const channel = route.pinned ?? chooseChannel(route.tiers, []);
  if (channel === null) return unpriced(model);
  const limits = limitsOf(asked, given, model);
  if (isApiError(limits)) return limits;
  const { operation } = asked;
  const forbidden = checkPrompt(core, {
    operation,
    body: saidIn(given),
    userId: caller.account.userId,
  });
  if (forbidden !== null) return forbidden;
  const acceptUnpriced = caller.account.acceptUnsetModelRatioModel;
  const plain = quoteFor(prices, { model, group, acceptUnpriced });
  if (plain === 'unpriced') return unpriced(model);
  const { media } = limits;
  const quote = withExtras(prices, plain, extrasOf(given, model, { media, channel }));
  const call = callOf(incoming, asked, { given, model, media });
  return { call, group, route, channel, quote, address, outputLimit: limits.outputLimit };
};

const internalError = gatewayError(500, 'internal_error', 'The gateway failed on this request');
type Funded = Readonly<{ planned: Planned; caller: Caller }>;

const begin = (
  core: RelayCore,
  incoming: Incoming,
  { planned, caller, reservation }: Funded & Readonly<{ reservation: Reservation }>,
): void => {
  const { call, outputLimit } = planned;
  // Written out field by field: a spread on the hot path costs as much as the scan of a body.
  const admitted: Admitted = {
    req: incoming.req,
    res: incoming.res,
    requestId: incoming.requestId,
    arrivedAtMs: incoming.arrivedAtMs,
    arrivedTick: incoming.arrivedTick,
    caller,
    call,
    path: call.clientPath,
    address: planned.address,
    group: planned.group,
    route: planned.route,
    channel: planned.channel,
    quote: planned.quote,
    reservation,
    coveredTokens: outputLimit ?? core.options.current().prices.preConsumedTokens,
    wantsUsage: asksForUsage(call),
    startedAtMs: core.clock().getTime(),
  };
  new Exchange(core, admitted, outputLimit).start();
};

const askKeeper = async (
  core: RelayCore,
  incoming: Incoming,
  { planned, caller, need }: Funded & Readonly<{ need: number }>,
): Promise<void> => {
  const { res, requestId } = incoming;
  try {
    const ask = { userId: caller.account.userId, tokenId: caller.tokenId, need };
    const funded = await fundCall(core.leaseBook, ask, () => res.destroyed);
    if (funded.kind === 'refused') sendError(res, refusalError(funded, need), requestId);
    else if (funded.kind === 'reserved') {
      begin(core, incoming, { planned, caller, reservation: funded.reservation });
    }
  } catch (error) {
    core.logger.error({ requestId, err: error }, 'reservation failed');
    sendError(res, quotaBusy, requestId);
  }
};

const admit = (core: RelayCore, incoming: Incoming, { planned, caller }: Funded): void => {
  const { call, quote, outputLimit } = planned;
  const need = estimate(quote, {
    promptTokens: call.media?.inputTokens ?? promptEstimate(call),
    maxOutputTokens: outputLimit,
    preConsumedTokens: core.options.current().prices.preConsumedTokens,
    pictures: call.media?.pictures ?? 0,
  });
  const reservation = core.leaseBook.tryReserve(caller.account.userId, caller.tokenId, need);
  if (reservation === null) void askKeeper(core, incoming, { planned, caller, need });
  else begin(core, incoming, { planned, caller, reservation });
};

/** Takes a text call through the checks in their order, and hands it on when it passes them all. */
export const serveTextBody = (core: RelayCore, incoming: Incoming, text: GivenText): void => {
  const { res, requestId } = incoming;
  try {
    const planned = plan(core, incoming, text);
    if (isApiError(planned)) sendError(res, planned, requestId);
    else admit(core, incoming, { planned, caller: text.ingress.caller });
  } catch (error) {
    core.logger.error({ requestId, err: error }, 'admission failed');
    sendError(res, internalError, requestId);
  }
};

/** Reads the body of a text call and serves it. */
export const serveText = (core: RelayCore, incoming: Incoming, ingress: TextIngress): void => {
  readBody(incoming.req, core.settings.maxBodyBytes, (raw) => {
    if (raw === 'gone') return;
    const type = incoming.req.headers['content-type'];
    const takesForm = isMedia(ingress.route.operation) && isForm(type);
    if (Buffer.isBuffer(raw)) {
      const given = takesForm ? scannedForm(raw, type ?? '') : scanned(raw);
      serveTextBody(core, incoming, { ingress, given });
    } else sendError(incoming.res, raw, incoming.requestId);
  });
};
