import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { quoteFor } from '../../domain/pricing/quote.ts';
import { checkAddress, checkModel, groupOf, routeFor } from '../admission/access.ts';
import type { Incoming } from '../admission/admitted.ts';
import { isPermit } from '../admission/call-limits/call-limiter.ts';
import { limitsOf, permitFor } from '../admission/call-limits/with-permit.ts';
import { type Caller, identify } from '../admission/caller.ts';
import { unpriced, usageNotRecordable } from '../admission/refusals.ts';
import { noModel } from '../admission/validate.ts';
import { clientGoneError, internalError } from '../delivery/failures.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { type ApiError, gatewayError, isApiError, sendError } from '../protocol/api-error.ts';
import { Booking } from '../settlement/booking.ts';
import { Funding } from '../settlement/funding.ts';
import { maxFrameBytes } from '../upstream/socket.ts';
import { type FailedOpen, type OpenedUpstream, openUpstream } from './open-upstream.ts';
import { SessionResponses } from './responses.ts';
import { Session } from './session.ts';
import { sessionChannel } from './session-channel.ts';
import { admittedOf, type SessionPlan, SessionReservation } from './session-plan.ts';
import type { MakeWire } from './session-wire.ts';

const makeWire: MakeWire = (deps) => new SessionResponses(deps);

const betaProtocol = 'openai-beta.realtime-v1';

/** A request to open a session, before admission. */
type UpgradeRequest = Readonly<{ incoming: Incoming; socket: Socket; head: Buffer }>;

const betaOf = ({ headers }: IncomingMessage): string => {
  const beta = headers['openai-beta'];
  if (typeof beta === 'string' && beta !== '') return beta;
  return headers['sec-websocket-protocol']?.includes(betaProtocol) === true ? 'realtime=v1' : '';
};

const planOf = (core: RelayCore, incoming: Incoming, caller: Caller): SessionPlan | ApiError => {
  const { req } = incoming;
  const barred = checkAddress(caller, core.clientAddress(req));
  if (barred !== null) return barred;
  const query = new URLSearchParams((req.url ?? '').split('?')[1] ?? '');
  const model = query.get('model') ?? '';
  if (model === '') return noModel;
  const { prices } = core.options.current();
  const group = groupOf(caller, prices);
  if (typeof group !== 'string') return group;
  const refused = checkModel(caller, model);
  if (refused !== null) return refused;
  const route = routeFor(caller, core.channels.table(), { group, model });
  if (isApiError(route)) return route;
  const channel = route.pinned ?? sessionChannel(core.coolDowns, route.tiers, []);
  const acceptUnpriced = caller.account.acceptUnsetModelRatioModel;
  const quote = quoteFor(prices, { model, group, acceptUnpriced });
  if (channel === null || quote === 'unpriced') return unpriced(model);
  const ask = { model, apiVersion: query.get('api-version') ?? '', beta: betaOf(req) };
  const sessionReservation = new SessionReservation(core, caller, quote);
  return { incoming, caller, ask, group, route, channel, sessionReservation, permit: null };
};

/** Rate limit; a session that does not open does not count as a success. */
const withinLimits = async (
  core: RelayCore,
  { res }: Incoming,
  caller: Caller,
): Promise<ApiError | null> => {
  const limits = core.options.current().rateLimits;
  if (limits === null) return null;
  const counted = await core.rateLimiter.count(caller, limits);
  if (isApiError(counted)) return counted;
  res.on('close', counted.failed);
  return null;
};

/** A session is one request, and a call for as long as its connection lasts. */
const permitted = async (
  core: RelayCore,
  socket: Socket,
  plan: SessionPlan,
): Promise<SessionPlan | ApiError> => {
  const { incoming, caller, group, ask, sessionReservation } = plan;
  const limits = limitsOf(core, caller, { group, call: ask });
  const need = () => ({ prompt: 0, output: sessionReservation.coveredTokens });
  const permit = await permitFor(core, incoming, { limits, need });
  if (permit === null || !isPermit(permit)) return permit ?? plan;
  if (socket.destroyed) permit.cancelled();
  else socket.once('close', () => permit.ended(0));
  return { ...plan, permit };
};

/** Records a session that no provider opened like any other failed call. */
const bookFailure = (core: RelayCore, plan: SessionPlan, failedOpen: FailedOpen): Promise<void> =>
  new Promise((resolve) => {
    const { error, channel, tried, upstreamModel } = failedOpen;
    void plan.sessionReservation.take().then((reservation) => {
      if (reservation === null) {
        resolve();
        return;
      }
      const admitted = admittedOf(core, plan, { reservation, isFirst: true });
      const { quote, coveredTokens } = admitted;
      const ask = { reservation, quote, coveredTokens, outputLimit: null };
      const booking = new Booking(core, admitted, new Funding(core.leaseBook, ask));
      booking.claim();
      booking.start();
      const facts = { channelId: channel.channelId, tried, upstreamModel, firstByteMs: null };
      booking.failed({ error, status: error.status }, facts, resolve);
    });
  });

export type RealtimeUpgrades = Readonly<{
  /** Answers when the upgrade is the relay's, and says whether it is. */
  upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Sessions end as soon as they have no response in progress. */
  leave: () => void;
  /** Sessions end now. */
  close: () => void;
}>;

/** Realtime sessions: the upstream socket is opened first, then the caller's upgrade is answered. */
export const createUpgradeHandler = (core: RelayCore, isOpen: () => boolean): RealtimeUpgrades => {
  const sessions = new Set<Session>();
  const ids = new WeakMap<IncomingMessage, string>();
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  });
  server.on('headers', (headers, req) => {
    const id = ids.get(req) ?? '';
    headers.push(`X-Request-Id: ${id}`, `X-Oneapi-Request-Id: ${id}`);
  });

  const refuse = ({ incoming, socket }: UpgradeRequest, error: ApiError): void => {
    const { res, requestId } = incoming;
    res.shouldKeepAlive = false;
    res.once('finish', () => socket.end());
    core.meters.ended(error.status);
    sendError(res, error, requestId);
  };

  const join = (request: UpgradeRequest, plan: SessionPlan, opened: OpenedUpstream): void => {
    const { incoming, socket, head } = request;
    incoming.res.removeAllListeners('close');
    incoming.res.detachSocket(socket);
    ids.set(incoming.req, incoming.requestId);
    let session: Session | null = null;
    const releaseUpstream = (): void => {
      if (session !== null) return;
      opened.upstream.terminate();
      plan.sessionReservation.close();
    };
    socket.once('close', releaseUpstream);
    core.meters.ended(101);
    server.handleUpgrade(incoming.req, socket, head, (client: WebSocket) => {
      const onOver = (): void => {
        if (session !== null) sessions.delete(session);
      };
      session = new Session(core, plan, { ...opened, client, makeWire, onOver });
      sessions.add(session);
      session.start();
    });
  };

  const openFor = async (request: UpgradeRequest, plan: SessionPlan): Promise<void> => {
    const isGone = (): boolean => request.socket.destroyed || !isOpen();
    const opened = await openUpstream(core, plan, isGone);
    if ('error' in opened) {
      await bookFailure(core, plan, opened);
      refuse(request, opened.error);
    } else if (isGone()) {
      opened.upstream.terminate();
      await bookFailure(core, plan, { ...opened, error: clientGoneError });
      refuse(request, clientGoneError);
    } else join(request, plan, opened);
  };

  const open = async (request: UpgradeRequest): Promise<void> => {
    const { incoming } = request;
    const caller = await identify(core, incoming.req, incoming.arrivedAtMs);
    if (isApiError(caller)) return refuse(request, caller);
    const limited = await withinLimits(core, incoming, caller);
    if (limited !== null) return refuse(request, limited);
    const asked = planOf(core, incoming, caller);
    if (isApiError(asked)) return refuse(request, asked);
    const plan = await permitted(core, request.socket, asked);
    if (isApiError(plan)) return refuse(request, plan);
    if (!(await plan.sessionReservation.fill())) {
      plan.permit?.cancelled();
      return refuse(request, plan.sessionReservation.refusal);
    }
    try {
      await openFor(request, plan);
    } catch (error) {
      plan.sessionReservation.close();
      throw error;
    }
  };

  return {
    upgrade: (req, socket, head) => {
      if ((req.url ?? '').split('?', 1)[0] !== '/v1/realtime') return false;
      if (req.headers.upgrade?.toLowerCase() !== 'websocket' || !(socket instanceof Socket)) {
        return false;
      }
      const arrivedAtMs = core.clock().getTime();
      const requestId = core.nextRequestId(arrivedAtMs);
      const res = new ServerResponse(req);
      res.assignSocket(socket);
      const arrivedTick = performance.now();
      const arrived = { req, res, requestId, arrivedAtMs, arrivedTick, trace: null };
      const incoming: Incoming = { ...arrived, heldBytes: 0 };
      const request = { incoming, socket, head };
      core.meters.began();
      socket.on('error', () => socket.destroy());
      if (!isOpen()) {
        const closing = gatewayError(503, 'relay_not_ready', 'The relay takes no requests now');
        refuse(request, { ...closing, retryAfterSeconds: 1 });
        return true;
      }
      if (!core.journal.accepting()) {
        refuse(request, usageNotRecordable);
        return true;
      }
      open(request).catch((error: unknown) => {
        core.logger.error({ requestId, err: error }, 'a session failed at the upgrade');
        refuse(request, internalError);
      });
      return true;
    },
    leave: () => {
      for (const session of [...sessions]) session.leave();
    },
    close: () => {
      for (const session of [...sessions]) session.kill();
    },
  };
};
