import { quoteFor, withExtras } from '../../domain/pricing/quote.ts';
import { checkAddress, checkModel, groupOf, routeFor } from '../admission/access.ts';
import { isApiError } from '../admission/caller.ts';
import { needsCount, routeWithin } from '../admission/input-limit.ts';
import { checkPrompt } from '../admission/sensitive-words.ts';
import type { Incoming } from '../exchange/admitted.ts';
import { isMedia } from '../providers/shared/operations.ts';
import type { CallMedia } from '../providers/types.ts';
import type { RelayCore } from '../relay-core.ts';
import { chooseChannel } from '../routing/choose.ts';
import { type ApiError, gatewayError, sendError } from './api-error.ts';
import { ambiguousField, checkMedia, defaultMediaModel } from './check-media.ts';
import { examineBody } from './examine-body.ts';
import { extrasOf } from './extra-ask.ts';
import { fund, type Planned } from './fund-call.ts';
import { notJson, type ScannedBody, scannedForm } from './normalise.ts';
import { readBody } from './read-body.ts';
import { unpriced } from './refusals.ts';
import type { TextRoute } from './routes.ts';
import { fieldText, filesOf, isForm } from './scan-form.ts';
import { callOf, type TextIngress } from './text-call.ts';
import { checkContents, checkText, modelOf, noModel, type TextLimits } from './validate.ts';

/** For moderations that name none (relay sheet, section 9). */
const defaultModerationModel = 'text-moderation-stable';

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
  /** An error: it cannot be used. */
  given: ScannedBody | ApiError;
  /** Counted where a channel takes prompts up to a length only. */
  promptTokens?: number;
}>;

const plan = (
  core: RelayCore,
  incoming: Incoming,
  { ingress, given, promptTokens }: GivenText,
): Planned | ApiError => {
  const { route: asked, caller } = ingress;
  const barred = checkAddress(caller, core.clientAddress(incoming.req));
  if (barred !== null) return barred;
  if (isApiError(given)) return given;
  const model = asked.model ?? modelOf(given) ?? defaultModel(asked);
  if (model === null) return { ...noModel, code: ingress.noModelCode ?? noModel.code };
  const ambiguous = ambiguousField(given);
  if (ambiguous !== null) return ambiguous;
  const { prices } = core.options.current();
  const group = groupOf(caller, prices);
  if (typeof group !== 'string') return group;
  const refused = checkModel(caller, model);
  if (refused !== null) return refused;
  const open = routeFor(caller, core.channels.table(), { group, model });
  const route = routeWithin(open, promptTokens);
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
    word: given.word,
  });
  if (forbidden !== null) return forbidden;
  const acceptUnpriced = caller.account.acceptUnsetModelRatioModel;
  const plain = quoteFor(prices, { model, group, acceptUnpriced });
  if (plain === 'unpriced') return unpriced(model);
  const { media } = limits;
  const quote = withExtras(prices, plain, extrasOf(given, model, { media, channel }));
  const call = callOf(incoming, asked, { given, model, media });
  return { call, group, route, channel, quote, outputLimit: limits.outputLimit };
};

const internalError = gatewayError(500, 'internal_error', 'The gateway failed on this request');

/** Counts the prompt, and plans again with the channels that take one of this length. */
const serveWithin = async (
  core: RelayCore,
  incoming: Incoming,
  { planned, text }: Readonly<{ planned: Planned; text: GivenText }>,
): Promise<void> => {
  const { body, scan, model } = planned.call;
  const { userId } = text.ingress.caller.account;
  const { res, requestId } = incoming;
  try {
    const promptTokens = await core.counting.prompt({ body, scan, model, userId });
    if (typeof promptTokens !== 'number') sendError(res, promptTokens, requestId);
    else if (!res.destroyed) serveTextBody(core, incoming, { ...text, promptTokens });
  } catch (error) {
    core.logger.error({ requestId, err: error }, 'the prompt could not be counted');
    sendError(res, internalError, requestId);
  }
};

const mustCount = (core: RelayCore, { call, route }: Planned, text: GivenText): boolean =>
  core.channels.table().limitsInput &&
  text.promptTokens === undefined &&
  !isMedia(call.operation) &&
  needsCount(route, call.body);

/** Takes a text call through the checks in their order, and hands it on when it passes them all. */
export const serveTextBody = (core: RelayCore, incoming: Incoming, text: GivenText): void => {
  const { res, requestId } = incoming;
  // Gone while the body was looked through.
  if (res.destroyed) return;
  try {
    const planned = plan(core, incoming, text);
    if (isApiError(planned)) sendError(res, planned, requestId);
    else if (mustCount(core, planned, text)) void serveWithin(core, incoming, { planned, text });
    else fund(core, incoming, { planned, caller: text.ingress.caller });
  } catch (error) {
    core.logger.error({ requestId, err: error }, 'admission failed');
    sendError(res, internalError, requestId);
  }
};

/** Reads the body of a text call and serves it. */
export const serveText = (core: RelayCore, incoming: Incoming, ingress: TextIngress): void => {
  readBody(core, incoming, (raw) => {
    if (raw === 'gone') return;
    const type = incoming.req.headers['content-type'];
    const takesForm = isMedia(ingress.route.operation) && isForm(type);
    if (!Buffer.isBuffer(raw)) {
      sendError(incoming.res, raw, incoming.requestId);
      return;
    }
    const serve = (given: ScannedBody | ApiError): void =>
      serveTextBody(core, incoming, { ingress, given });
    if (takesForm) serve(scannedForm(raw, type ?? '') ?? notJson);
    else examineBody(core, { raw, owner: ingress.caller.account.userId }, serve);
  });
};
