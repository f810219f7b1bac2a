import type { Admitted, Incoming } from '../admission/admitted.ts';
import type { CallPermit, TokenNeed } from '../admission/call-limits/call-limiter.ts';
import { limitsOf, withPermit } from '../admission/call-limits/with-permit.ts';
import { examineBody } from '../admission/examine-body.ts';
import { needsCount } from '../admission/input-limit.ts';
import type { Reservation } from '../admission/lease-book.ts';
import { type GivenText, type Planned, planCall } from '../admission/plan-call.ts';
import { readBody } from '../admission/read-body.ts';
import { quotaBusy, refusalError } from '../admission/refusals.ts';
import {
  coveredTokens,
  type Needed,
  reserveCall,
  tryReserveCall,
} from '../admission/reserve-call.ts';
import type { TextIngress } from '../admission/text-call.ts';
import { modelOf } from '../admission/validate.ts';
import { Exchange } from '../execution/exchange.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { type Earlier, earlierInput, refersToEarlier } from '../kept-responses/previous-input.ts';
import { type ApiError, isApiError, sendError } from '../protocol/api-error.ts';
import { type ScannedBody, scannedForm } from '../protocol/normalise.ts';
import { isMedia } from '../protocol/operations.ts';
import { callError, relayError } from '../protocol/relay-errors.ts';
import { isForm } from '../protocol/scan-form.ts';
import { asksForUsage } from '../providers/shared/openai/body.ts';
import { roughPromptTokens } from '../settlement/rough-tokens.ts';
import {
  type CachedCall,
  cachedCall,
  type NamedCache,
  namedCache,
} from '../tasks/caches/cached-call.ts';
import { neededWith, withCachedCount } from './cached-prompt.ts';
import { namesConversation, serveInConversation } from './conversation-call.ts';

const noCacheHere = callError(
  'unsupported_parameter',
  '`cachedContent` is not supported by the Responses API',
  'cachedContent',
);
const internalError = relayError('internal_error');

type Begun = Pick<Needed, 'planned' | 'caller' | 'estimated'> &
  Readonly<{ reservation: Reservation; permit: CallPermit | null }>;

const begin = (
  core: RelayCore,
  incoming: Incoming,
  { planned, caller, estimated, reservation, permit }: Begun,
): void => {
  const { call, outputLimit } = planned;
  incoming.progress.isAdmitted = true;
  // Field by field: a spread on the hot path costs as much as the scan of a body.
  const admitted: Admitted = {
    req: incoming.req,
    res: incoming.res,
    requestId: incoming.requestId,
    arrivedAtMs: incoming.arrivedAtMs,
    arrivedTick: incoming.arrivedTick,
    trace: incoming.trace,
    caller,
    call,
    path: call.clientPath,
    group: planned.group,
    route: planned.route,
    channel: planned.channel,
    quote: planned.quote,
    allowanceOf: core.options.current().openCalls.allowanceOf,
    reservation,
    permit,
    coveredTokens: coveredTokens(core, { planned, estimated }, reservation),
    wantsUsage: asksForUsage(call),
    startedAtMs: core.clock().getTime(),
  };
  new Exchange(core, admitted, outputLimit).start();
};

/** `cachedTokens`: read from a cache that the call names, in addition to its prompt. */
type CachedText = GivenText & Readonly<{ cachedTokens?: number }>;

type Permitted = Readonly<{ needed: Needed; permit: CallPermit | null; cachedTokens: number }>;

const requestLease = async (
  core: RelayCore,
  incoming: Incoming,
  { needed, permit, cachedTokens }: Permitted,
): Promise<void> => {
  const { res, requestId } = incoming;
  try {
    const { result, need } = await reserveCall(
      withCachedCount(core, needed.planned, cachedTokens),
      needed,
      () => res.destroyed,
    );
    if (result !== 'client-gone' && result.kind === 'reserved') {
      const { planned, caller, estimated } = needed;
      const { reservation } = result;
      begin(core, incoming, { planned, caller, estimated, reservation, permit });
      return;
    }
    permit?.cancelled();
    if (result !== 'client-gone') sendError(res, refusalError(result, need), requestId);
  } catch (error) {
    permit?.cancelled();
    core.logger.error({ requestId, err: error }, 'reservation failed');
    sendError(res, quotaBusy, requestId);
  }
};

const reserve = (core: RelayCore, incoming: Incoming, permitted: Permitted): void => {
  const { needed, permit } = permitted;
  const reservation = tryReserveCall(core, needed);
  if (reservation === null) void requestLease(core, incoming, permitted);
  else {
    const { planned, caller, estimated } = needed;
    begin(core, incoming, { planned, caller, estimated, reservation, permit });
  }
};

/** Counts the prompt, and plans again with the channels that take one of this length. */
const serveWithin = async (
  core: RelayCore,
  incoming: Incoming,
  { planned, text }: Readonly<{ planned: Planned; text: CachedText }>,
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

/** About what a call takes, which its outcome corrects. */
const tokensOf = (
  core: RelayCore,
  { call, outputLimit }: Planned,
  cachedTokens: number,
): TokenNeed => ({
  prompt:
    cachedTokens + (call.media?.inputTokens ?? roughPromptTokens(call.body.length, call.scan)),
  output: outputLimit ?? core.options.current().prices.preConsumedTokens,
});

const mustCount = (core: RelayCore, { call, route }: Planned, text: GivenText): boolean =>
  core.channels.table().limitsInput &&
  text.promptTokens === undefined &&
  !isMedia(call.operation) &&
  needsCount(route, call.body);

/** Admits a text call: the checks, then the reservation, then its exchange. */
const serveTextBody = (core: RelayCore, incoming: Incoming, text: CachedText): void => {
  const { res, requestId } = incoming;
  // Gone while the body was scanned.
  if (res.destroyed) return;
  try {
    const planned = planCall(core, incoming, text);
    if (isApiError(planned)) {
      sendError(res, planned, requestId);
      return;
    }
    if (mustCount(core, planned, text)) {
      void serveWithin(core, incoming, { planned, text });
      return;
    }
    const needed = neededWith(core, planned, text);
    const { cachedTokens = 0 } = text;
    const limits = limitsOf(core, needed.caller, planned);
    if (limits.length === 0) reserve(core, incoming, { needed, permit: null, cachedTokens });
    else {
      withPermit(core, incoming, {
        limits,
        need: () => tokensOf(core, planned, cachedTokens),
        go: (permit) => reserve(core, incoming, { needed, permit, cachedTokens }),
      });
    }
  } catch (error) {
    core.logger.error({ requestId, err: error }, 'admission failed');
    sendError(res, internalError, requestId);
  }
};

type LaterText = Readonly<{ ingress: TextIngress; given: ScannedBody }>;

/** A call that continues an earlier response, with its items. */
const serveLater = (core: RelayCore, incoming: Incoming, { ingress, given }: LaterText): void => {
  const { userId } = ingress.caller.account;
  const { res, requestId } = incoming;
  const serve = (earlier: Earlier | ApiError): void => {
    if (isApiError(earlier)) {
      sendError(res, earlier, requestId);
      return;
    }
    const { body, madeBy } = earlier;
    const { protocol } = ingress.route;
    const later = (whole: ScannedBody | ApiError): void =>
      serveTextBody(core, incoming, { ingress, given: whole, madeBy });
    if (body === null) later(given);
    else examineBody(core, { raw: body, owner: userId, protocol }, later);
  };
  earlierInput({ kept: core.keptResponses, userId }, given)
    .then(serve)
    .catch((error: unknown) => {
      core.logger.error({ requestId, err: error }, 'an earlier response could not be read');
      sendError(res, internalError, requestId);
    });
};

type CachedAsk = LaterText & Readonly<{ named: NamedCache }>;

/** A call that continues a cache of its caller, on the channel that holds it. */
const serveCached = (
  core: RelayCore,
  incoming: Incoming,
  { ingress, given, named }: CachedAsk,
): void => {
  const { caller, route } = ingress;
  const owner = caller.account.userId;
  const { res, requestId } = incoming;
  const serve = (call: CachedCall | ApiError): void => {
    if (isApiError(call)) {
      sendError(res, call, requestId);
      return;
    }
    const { madeBy, cachedTokens } = call;
    examineBody(core, { raw: call.body, owner, protocol: route.protocol }, (whole) =>
      serveTextBody(core, incoming, { ingress, given: whole, madeBy, cachedTokens }),
    );
  };
  const model = route.model ?? modelOf(given) ?? '';
  cachedCall(core, { caller, model, named })
    .then(serve)
    .catch((error: unknown) => {
      core.logger.error({ requestId, err: error }, 'a call with a cache could not be served');
      sendError(res, internalError, requestId);
    });
};

const readsCaches: ReadonlySet<string> = new Set(['chat', 'responses']);

/** The cache that a call names; null: none, as nearly all. */
const cacheOf = ({ route }: TextIngress, given: ScannedBody): NamedCache | ApiError | null => {
  const { operation, protocol } = route;
  const mayHave = protocol === 'gemini' || protocol === 'openai';
  return mayHave && readsCaches.has(operation) ? namedCache(given, protocol) : null;
};

/** Serves a text call, with what it continues. */
export const serveGiven = (
  core: RelayCore,
  incoming: Incoming,
  { ingress, given }: Readonly<{ ingress: TextIngress; given: ScannedBody | ApiError }>,
): void => {
  if (isApiError(given)) {
    serveTextBody(core, incoming, { ingress, given });
    return;
  }
  const isResponse = ingress.route.operation === 'responses';
  const named = cacheOf(ingress, given);
  if (named !== null && isApiError(named)) sendError(incoming.res, named, incoming.requestId);
  else if (named !== null && isResponse) sendError(incoming.res, noCacheHere, incoming.requestId);
  else if (named !== null) serveCached(core, incoming, { ingress, given, named });
  else if (isResponse && namesConversation(ingress, given)) {
    serveInConversation(core, incoming, {
      caller: ingress.caller,
      given,
      serve: (inner, whole) => serveTextBody(core, inner, { ingress, given: whole }),
    });
  } else if (isResponse && refersToEarlier(given)) serveLater(core, incoming, { ingress, given });
  else serveTextBody(core, incoming, { ingress, given });
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
      serveGiven(core, incoming, { ingress, given });
    if (takesForm) serve(scannedForm(raw, type ?? ''));
    else {
      const owner = ingress.caller.account.userId;
      examineBody(core, { raw, owner, protocol: ingress.route.protocol }, serve);
    }
  });
};
