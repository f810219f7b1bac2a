import { randomBytes } from 'node:crypto';
import type { Session } from '../../domain/access/session.ts';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { SessionId, UserId } from '../../domain/shared/ids.ts';
import { userDecider } from '../../domain/user/decider.ts';
import type { FactorMethod, SessionOpened } from '../../domain/user/events.ts';
import { userStreamId } from '../../domain/user/stream.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { SessionSigner, SessionVerifier } from '../../infra/ports/sessions.ts';
import type { PersonalSeal, Vault } from '../../infra/ports/vault.ts';
import { endedSessionCookie, sessionCookie } from '../../infra/web/session-cookie.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { Call } from '../http/call.ts';
import { signedSession } from '../http/current-session.ts';
import type { RejectionCode } from '../http/rejection-messages.ts';
import { isSecureSite } from '../http/secure-site.ts';
import type { PersonalKeys } from '../identity/personal-keys.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { deviceName } from './device.ts';
import { type KnownUser, loadUser } from './find-user.ts';
import { createKnownPlaces } from './known-places.ts';

export type SessionDeps = Readonly<{
  bus: Bus;
  vault: Vault;
  sessionSigner: SessionSigner;
  sessionVerifier: SessionVerifier;
  clock: Clock;
  commands: CommandHandler;
  personalKeys: PersonalKeys;
  options: SiteOptions;
}>;

type Refused = Rejected<RejectionCode>;
/** The identified user, the method, and the second factor where one was required. */
type Proven = Readonly<{ userId: UserId; method: string; secondFactor?: FactorMethod }>;
export type Opened = Readonly<{ kind: 'opened'; user: KnownUser; sessionId: SessionId }>;

const sessionIdBytes = 16;

/** Opens, renews and ends the sessions of browsers. Every way to sign in ends in `open`, by
 * `second-factor/sign-in.ts`. */
export const createSessions = (deps: SessionDeps) => {
  const { clock, personalKeys, sessionSigner } = deps;
  const places = createKnownPlaces(deps);

  const giveCookie = async ({ request, reply }: Call, session: Session): Promise<void> => {
    const isSecure = await isSecureSite(deps, request.headers);
    const given = { text: sessionSigner.sign(session), session, isSecure };
    reply.header('set-cookie', sessionCookie(given, clock().getTime()));
  };

  const removeCookie = async ({ request, reply }: Call): Promise<void> => {
    reply.header('set-cookie', endedSessionCookie(await isSecureSite(deps, request.headers)));
  };

  const newSession = ({ request, ip }: Call, { seal }: PersonalSeal): SessionOpened => ({
    sessionId: randomBytes(sessionIdBytes).toString('base64url'),
    openedAt: clock().toISOString(),
    device: seal(deviceName(request.headers['user-agent']), 'session-device'),
    address: seal(ip, 'session-address'),
  });

  const end = async (
    call: Call,
    session: Pick<Session, 'id' | 'userId'>,
    reason: 'logged-out' | 'revoked' | 'replaced',
  ) => {
    const { id: sessionId, userId } = session;
    return call.perform(userDecider, userStreamId(userId), {
      type: 'EndSession',
      data: { userId, sessionId, reason },
    });
  };

  /** The browser drops its previous session, so it is over. */
  const endReplaced = async (call: Call, opened: SessionId): Promise<void> => {
    const before = signedSession(deps, call.request.headers);
    if (before !== null && before.id !== opened) await end(call, before, 'replaced');
  };

  return {
    removeCookie,

    /** Signs the browser in. A repeated command gets the session of the first time. */
    async open(call: Call, proven: Proven): Promise<Opened | Refused> {
      const { userId } = proven;
      const seal = await personalKeys.get(userId);
      if (!seal) return reject('user.deleted');
      const recorded = await call.perform(userDecider, userStreamId(userId), {
        type: 'RecordLogin',
        data: { ...proven, session: newSession(call, seal) },
      });
      if (recorded.kind === 'rejected') return recorded;
      const login = recorded.events.find(({ type }) => type === 'UserLoggedIn');
      const opened = login?.type === 'UserLoggedIn' ? login.data.session : undefined;
      const user = await loadUser(deps, userId);
      if (!user || !opened) return reject('user.unknown');
      const { sessionId: id, openedAt } = opened;
      await endReplaced(call, id);
      const issuedAt = Date.parse(openedAt);
      await giveCookie(call, { id, userId, epoch: user.sessionEpoch, issuedAt });
      await places.remember(call, userId);
      return { kind: 'opened', user, sessionId: id };
    },

    /** After a change that ended all other sessions: the requesting one continues. */
    async renew(call: Call, session: Session): Promise<void> {
      const user = await loadUser(deps, session.userId);
      if (!user?.sessions.some(({ sessionId }) => sessionId === session.id)) return;
      await giveCookie(call, { ...session, epoch: user.sessionEpoch });
    },

    end,
  };
};
