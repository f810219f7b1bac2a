import type { WebSocket } from 'ws';
import { arrive, notServed } from '../admission/arrive.ts';
import type { Caller } from '../admission/caller.ts';
import { countRefusal } from '../admission/count-refusal.ts';
import { internalError } from '../delivery/failures.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import { noteError } from '../protocol/error-note.ts';
import { livePath, liveVersion } from '../protocol/live-path.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { bytesOf, type Frame, textAt } from './frames.ts';
import { type ResumptionHandles, resumptionHandles } from './live-handles.ts';
import { memberOf, setupFor, setupOf } from './live-setup.ts';
import { LiveTurns } from './live-turns.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { Session } from './session.ts';
import type { SessionAsk } from './session-plan.ts';
import { closeCode, closeReason, type MakeWire } from './session-wire.ts';
import {
  OpenSessions,
  refuseUpgrade,
  type SessionUpgrades,
  takeUpgrades,
  type UpgradeRequest,
  UpgradeServer,
} from './upgrade-request.ts';

const makeWire: MakeWire = (deps) => new LiveTurns(deps);

const noSetup = relayError('invalid_setup');
const unknownHandle = relayError('session_not_found');
const setupTimedOut = relayError('setup_timeout');
const maxSetupMs = 30_000;

type Accepted = Readonly<{ request: UpgradeRequest; caller: Caller; client: WebSocket }>;

/** The setup, and what a caller sends after it without waiting for its answer. */
const framesOf = (client: WebSocket): Promise<readonly Frame[]> =>
  new Promise((resolve) => {
    const frames: Frame[] = [];
    const timer = setTimeout(() => resolve(frames), maxSetupMs);
    client.once('close', () => resolve(frames));
    client.on('message', (data, isBinary) => {
      frames.push({ bytes: bytesOf(data), isBinary });
      client.pause();
      clearTimeout(timer);
      resolve(frames);
    });
  });

const askOf = (
  { incoming }: UpgradeRequest,
  frame: Frame | undefined,
  handles: ResumptionHandles,
): SessionAsk | ApiError => {
  if (frame === undefined) return setupTimedOut;
  const setup = setupOf(frame.bytes);
  if (setup === null) return noSetup;
  const resumption = memberOf(setup.setup, 'sessionResumption', 'session_resumption');
  const shown = textAt(resumption, 'handle');
  const resumed = shown === '' ? null : handles.opened(shown);
  if (shown !== '' && resumed === null) return unknownHandle;
  const path = livePath(incoming.req.url ?? '');
  return {
    protocol: 'gemini',
    path,
    call: { model: setup.model, apiVersion: liveVersion(path), beta: '' },
    madeBy: resumed?.channelId ?? null,
    setup: (upstreamModel) => setupFor(setup, upstreamModel, resumed?.handle ?? null),
  };
};

/**
 * Gemini's sessions: the caller's upgrade is answered first, since the first message contains its
 * model. A refusal after that is the code and the reason with which the connection closes.
 */
export const createLiveUpgrades = (core: RelayCore, isOpen: () => boolean): SessionUpgrades => {
  const sessions = new OpenSessions();
  const server = new UpgradeServer('');

  const join = (client: WebSocket, { plan, opened }: OpenedSession, early: readonly Frame[]) => {
    client.removeAllListeners('message');
    const session: Session = new Session(core, plan, {
      ...opened,
      client,
      makeWire,
      onOver: () => sessions.remove(session),
    });
    sessions.add(session);
    session.start(early);
  };

  const serve = async ({ request, caller, client }: Accepted): Promise<ApiError | null> => {
    const { incoming, socket } = request;
    client.on('error', (err) => {
      core.logger.warn({ requestId: incoming.requestId, err }, 'a realtime socket failed');
    });
    const frames = await framesOf(client);
    const handles = resumptionHandles(core.vault, caller.account.userId);
    const ask = askOf(request, frames[0], handles);
    if (isApiError(ask)) return ask;
    const opened = await openSession(core, { incoming, caller, ask, socket }, isOpen);
    if (isApiError(opened)) return opened;
    join(client, opened, frames);
    return null;
  };

  const refuse = ({ request, client }: Accepted, error: ApiError): void => {
    const words = `${error.message} (request id: ${request.incoming.requestId})`;
    request.incoming.trace?.ended(101, String(error.code || error.type));
    noteError(request.incoming.req, { code: String(error.code), isOwn: false });
    countRefusal(core, request.incoming);
    client.resume();
    client.close(closeCode(error), closeReason(words));
  };

  const open = async (request: UpgradeRequest): Promise<void> => {
    const { incoming } = request;
    const caller = await arrive(core, incoming, 'live');
    if (isApiError(caller)) return refuseUpgrade(core, request, caller);
    core.meters.ended(101);
    server.accept(request, (client) => {
      const accepted = { request, caller, client };
      serve(accepted)
        .catch((error: unknown): ApiError => {
          const { requestId } = incoming;
          core.logger.error({ requestId, err: error }, 'a session failed at its setup');
          return internalError;
        })
        .then((error) => {
          if (error === null) return;
          notServed(incoming.req);
          refuse(accepted, error);
        });
    });
  };

  return takeUpgrades(core, isOpen, { pathOf: livePath, open, sessions });
};
