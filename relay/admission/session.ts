import type { IncomingMessage } from 'node:http';
import { languageOf } from '../../domain/access/language.ts';
import type { Session } from '../../domain/access/session.ts';
import type { AccountFeedEntry } from '../../domain/user/feed.ts';
import { isForgedByAnotherSite } from '../../infra/web/cross-site.ts';
import { sharedRefusalTexts } from '../../infra/web/refusal-texts.ts';
import { readSession } from '../../infra/web/session-cookie.ts';
import { userHeaderRefusal } from '../../infra/web/user-header.ts';
import type { Caller } from './caller.ts';
import type { AdmissionDeps } from './deps.ts';

/** The refusal of the console: an envelope, not an API error. */
export type SessionRefusal = Readonly<{
  kind: 'session-refusal';
  status: 200 | 400 | 401 | 403;
  code: string;
  message: string;
}>;

const texts = {
  ...sharedRefusalTexts,
  access_token_not_supported: {
    zh: '操练场不支持访问令牌',
    en: 'The playground takes no access token',
  },
} as const;

const refuse = (
  req: IncomingMessage,
  status: SessionRefusal['status'],
  code: keyof typeof texts,
): SessionRefusal => {
  const message = texts[code][languageOf(req.headers['accept-language'])];
  return { kind: 'session-refusal', status, code, message };
};

const isOpen = (account: AccountFeedEntry, session: Session): boolean =>
  account.sessionEpoch === session.epoch && account.sessionIds.includes(session.id);

/**
 * The account of a session; null when the session is over. It may have been opened a moment ago, so
 * a cached entry without it is read again.
 */
const accountOf = async (
  { accounts }: AdmissionDeps,
  session: Session,
): Promise<AccountFeedEntry | null> => {
  const held = accounts.find(session.userId);
  if (held !== undefined && isOpen(held, session)) return held;
  const now = await accounts.fetch(session.userId);
  if (now === null) return null;
  // A banned user gets the ban as the reason, though it has ended the session.
  return now.status === 2 || isOpen(now, session) ? now : null;
};

/** The console session of a request (infra/reference/console-rules.md, section 4). */
export const identifySession = async (
  core: AdmissionDeps,
  req: IncomingMessage,
): Promise<Caller | SessionRefusal> => {
  if (isForgedByAnotherSite(req.headers)) return refuse(req, 403, 'request.cross-site');
  const { sessionVerifier, clock } = core;
  const session = readSession(req.headers.cookie, sessionVerifier.verify, clock().getTime());
  if (session === null) {
    return req.headers.authorization
      ? refuse(req, 400, 'access_token_not_supported')
      : refuse(req, 401, 'auth.not-signed-in');
  }
  const account = await accountOf(core, session);
  if (account === null) return refuse(req, 401, 'auth.not-signed-in');
  const refused = userHeaderRefusal(req.headers['new-api-user'], account.userId);
  if (refused !== null) return refuse(req, 401, refused);
  if (account.status !== 1) return refuse(req, 200, 'auth.banned');
  return {
    account,
    token: null,
    tokenId: 0,
    tokenGroup: '',
    pinnedChannelId: null,
  };
};
