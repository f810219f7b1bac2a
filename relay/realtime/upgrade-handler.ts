import type { IncomingMessage } from 'node:http';
import { arrive } from '../admission/arrive.ts';
import { noModel } from '../admission/validate.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { isApiError } from '../protocol/api-error.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { SessionResponses } from './responses.ts';
import { Session } from './session.ts';
import type { SessionAsk } from './session-plan.ts';
import type { MakeWire } from './session-wire.ts';
import {
  OpenSessions,
  refuseUpgrade,
  type SessionUpgrades,
  takeUpgrades,
  type UpgradeRequest,
  UpgradeServer,
} from './upgrade-request.ts';

const path = '/v1/realtime';
const betaProtocol = 'openai-beta.realtime-v1';
const makeWire: MakeWire = (deps) => new SessionResponses(deps);

const betaOf = ({ headers }: IncomingMessage): string => {
  const beta = headers['openai-beta'];
  if (typeof beta === 'string' && beta !== '') return beta;
  return headers['sec-websocket-protocol']?.includes(betaProtocol) === true ? 'realtime=v1' : '';
};

const askOf = (req: IncomingMessage): SessionAsk => {
  const query = new URLSearchParams((req.url ?? '').split('?')[1] ?? '');
  const model = query.get('model') ?? '';
  const call = { model, apiVersion: query.get('api-version') ?? '', beta: betaOf(req) };
  return { protocol: 'openai', path, call, madeBy: null, setup: null };
};

/** OpenAI's sessions: the upstream socket is opened first, then the caller's upgrade is answered. */
export const createUpgradeHandler = (core: RelayCore, isOpen: () => boolean): SessionUpgrades => {
  const sessions = new OpenSessions();
  const server = new UpgradeServer('realtime');

  const join = (request: UpgradeRequest, { plan, opened }: OpenedSession): void => {
    let session: Session | null = null;
    const releaseUpstream = (): void => {
      if (session !== null) return;
      opened.upstream.terminate();
      plan.sessionReservation.close();
      request.incoming.trace?.ended(499);
    };
    request.socket.once('close', releaseUpstream);
    core.meters.ended(101);
    server.accept(request, (client) => {
      const onOver = (): void => {
        if (session !== null) sessions.remove(session);
      };
      session = new Session(core, plan, { ...opened, client, makeWire, onOver });
      sessions.add(session);
      session.start();
    });
  };

  const open = async (request: UpgradeRequest): Promise<void> => {
    const { incoming, socket } = request;
    const caller = await arrive(core, incoming, 'realtime');
    if (isApiError(caller)) return refuseUpgrade(core, request, caller);
    const ask = askOf(incoming.req);
    if (ask.call.model === '') return refuseUpgrade(core, request, noModel);
    const opened = await openSession(core, { incoming, caller, ask, socket }, isOpen);
    if (isApiError(opened)) return refuseUpgrade(core, request, opened);
    join(request, opened);
  };

  return takeUpgrades(core, isOpen, {
    pathOf: (url) => (url.split('?', 1)[0] === path ? path : ''),
    open,
    sessions,
  });
};
