import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { quoteFor } from '../../domain/pricing/quote.ts';
import { checkAddress, checkModel, groupOf, routeFor } from '../admission/access.ts';
import { type Caller, identify, isApiError } from '../admission/caller.ts';
import type { Incoming } from '../exchange/admitted.ts';
import { Booking } from '../exchange/booking.ts';
import { clientGoneError, internalError } from '../exchange/failures.ts';
import { Funding } from '../exchange/funding.ts';
import { type ApiError, gatewayError, sendError } from '../ingress/api-error.ts';
import { unpriced } from '../ingress/refusals.ts';
import { noModel } from '../ingress/validate.ts';
import type { RelayCore } from '../relay-core.ts';
import { chooseChannel } from '../routing/choose.ts';
import { mostFrameBytes } from '../upstream/socket.ts';
import { type Opened, openUpstream, type Unopened } from './join.ts';
import { Session } from './session.ts';
import { admittedOf, Purse, type Terms } from './terms.ts';

const betaProtocol = 'openai-beta.realtime-v1';

/** A caller's request to open a session, before anything is agreed. */
type Knock = Readonly<{ incoming: Incoming; socket: Socket; head: Buffer }>;

const betaOf = ({ headers }: IncomingMessage): string => {
  const said = headers['openai-beta'];
  if (typeof said === 'string' && said !== '') return said;
  return headers['sec-websocket-protocol']?.includes(betaProtocol) === true ? 'realtime=v1' : '';
};

const termsOf = (core: RelayCore, incoming: Incoming, caller: Caller): Terms | ApiError => {
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
  const channel = route.pinned ?? chooseChannel(route.tiers, []);
  const acceptUnpriced = caller.account.acceptUnsetModelRatioModel;
  const quote = quoteFor(prices, { model, group, acceptUnpriced });
  if (channel === null || quote === 'unpriced') return unpriced(model);
  const ask = { model, apiVersion: query.get('api-version') ?? '', beta: betaOf(req) };
  const purse = new Purse(core, caller, quote);
  return { incoming, caller, ask, group, route, channel, purse };
};

/** Counts against the caller's rate; a session that does not open does not count as a success. */
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

/** Nobody took the session: the books hear of it as of any call that failed. */
const bookFailure = (core: RelayCore, terms: Terms, unopened: Unopened): Promise<void> =>
  new Promise((resolve) => {
    const { error, channel, tried, upstreamModel } = unopened;
    void terms.purse.take().then((reservation) => {
      if (reservation === null) {
        resolve();
        return;
      }
      const admitted = admittedOf(core, terms, { reservation, isFirst: true });
      const { quote, coveredTokens } = admitted;
      const ask = { reservation, quote, coveredTokens, outputLimit: null };
      const booking = new Booking(core, admitted, new Funding(core.leaseBook, ask));
      booking.claim();
      booking.start();
      const facts = { channelId: channel.channelId, tried, upstreamModel, firstByteMs: null };
      booking.failed({ error, status: error.status }, facts, resolve);
    });
  });

export type RealtimeDoor = Readonly<{
  /** Answers when the upgrade is the relay's, and says whether it is. */
  upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Sessions end as soon as no answer is on its way. */
  leave: () => void;
  /** Sessions end now. */
  close: () => void;
}>;

/** Sessions spoken over a websocket: the provider's side is opened first, then the caller's. */
export const createRealtimeDoor = (core: RelayCore, isOpen: () => boolean): RealtimeDoor => {
  const sessions = new Set<Session>();
  const ids = new WeakMap<IncomingMessage, string>();
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: mostFrameBytes,
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  });
  server.on('headers', (headers, req) => {
    const id = ids.get(req) ?? '';
    headers.push(`X-Request-Id: ${id}`, `X-Oneapi-Request-Id: ${id}`);
  });

  const refuse = ({ incoming, socket }: Knock, error: ApiError): void => {
    const { res, requestId } = incoming;
    res.shouldKeepAlive = false;
    res.once('finish', () => socket.end());
    core.meters.ended(error.status);
    sendError(res, error, requestId);
  };

  const join = (knock: Knock, terms: Terms, opened: Opened): void => {
    const { incoming, socket, head } = knock;
    incoming.res.removeAllListeners('close');
    incoming.res.detachSocket(socket);
    ids.set(incoming.req, incoming.requestId);
    let session: Session | null = null;
    const giveUp = (): void => {
      if (session !== null) return;
      opened.upstream.terminate();
      terms.purse.close();
    };
    socket.once('close', giveUp);
    core.meters.ended(101);
    server.handleUpgrade(incoming.req, socket, head, (client: WebSocket) => {
      const onOver = (): void => {
        if (session !== null) sessions.delete(session);
      };
      session = new Session(core, terms, { ...opened, client, onOver });
      sessions.add(session);
      session.start();
    });
  };

  const openFor = async (knock: Knock, terms: Terms): Promise<void> => {
    const isGone = (): boolean => knock.socket.destroyed || !isOpen();
    const opened = await openUpstream(core, terms, isGone);
    if ('error' in opened) {
      await bookFailure(core, terms, opened);
      refuse(knock, opened.error);
    } else if (isGone()) {
      opened.upstream.terminate();
      await bookFailure(core, terms, { ...opened, error: clientGoneError });
      refuse(knock, clientGoneError);
    } else join(knock, terms, opened);
  };

  const open = async (knock: Knock): Promise<void> => {
    const { incoming } = knock;
    const caller = await identify(core, incoming.req, incoming.arrivedAtMs);
    if (isApiError(caller)) return refuse(knock, caller);
    const limited = await withinLimits(core, incoming, caller);
    if (limited !== null) return refuse(knock, limited);
    const terms = termsOf(core, incoming, caller);
    if (isApiError(terms)) return refuse(knock, terms);
    if (!(await terms.purse.fill())) return refuse(knock, terms.purse.refusal);
    try {
      await openFor(knock, terms);
    } catch (error) {
      terms.purse.close();
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
      const incoming: Incoming = { req, res, requestId, arrivedAtMs, arrivedTick, heldBytes: 0 };
      const knock = { incoming, socket, head };
      core.meters.began();
      socket.on('error', () => socket.destroy());
      if (!isOpen()) {
        const closing = gatewayError(503, 'relay_not_ready', 'The relay takes no requests now');
        refuse(knock, { ...closing, retryAfterSeconds: 1 });
        return true;
      }
      open(knock).catch((error: unknown) => {
        core.logger.error({ requestId, err: error }, 'a session failed at the door');
        refuse(knock, internalError);
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
