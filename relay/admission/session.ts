import type { IncomingMessage } from 'node:http';
import { languageOf } from '../../domain/access/language.ts';
import type { Session } from '../../domain/access/session.ts';
import type { AccountFeedEntry } from '../../domain/user/feed.ts';
import { isForgedByAnotherSite } from '../../infra/web/cross-site.ts';
import { readSession } from '../../infra/web/session-cookie.ts';
import type { Caller } from './caller.ts';
import type { AdmissionDeps } from './deps.ts';

/** The console's way to say no: an envelope, not an API error. */
export type SessionRefusal = Readonly<{
  kind: 'session-refusal';
  status: 200 | 400 | 401 | 403;
  code: string;
  message: string;
}>;

const texts = {
  'session.missing': [
    '未登录或登录已过期，请重新登录！',
    'Not signed in, or the session has expired',
  ],
  'session.user-header': [
    '用户标识缺失或不匹配',
    'Header New-Api-User is missing or does not match',
  ],
  'request.cross-site': [
    '已拒绝来自其他网站页面的请求',
    'A call from the page of another site is refused',
  ],
  'session.banned': ['用户已被封禁', 'The user is banned'],
  access_token_not_supported: ['操练场不支持访问令牌', 'The playground takes no access token'],
} as const;

const refuse = (
  req: IncomingMessage,
  status: SessionRefusal['status'],
  code: keyof typeof texts,
): SessionRefusal => {
  const column = languageOf(req.headers['accept-language']) === 'en' ? 1 : 0;
  return { kind: 'session-refusal', status, code, message: texts[code][column] };
};

const isOpen = (account: AccountFeedEntry, session: Session): boolean =>
  account.sessionEpoch === session.epoch && account.sessionIds?.includes(session.id) === true;

/**
 * The account of a session; null when the session is over. It may have been opened a moment ago, so
 * an entry that does not know it is asked for anew.
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
      : refuse(req, 401, 'session.missing');
  }
  const account = await accountOf(core, session);
  if (account === null) return refuse(req, 401, 'session.missing');
  const header = req.headers['new-api-user'];
  if (typeof header !== 'string' || !/^\d+$/.test(header) || Number(header) !== account.userId) {
    return refuse(req, 401, 'session.user-header');
  }
  if (account.status !== 1) return refuse(req, 200, 'session.banned');
  return {
    account,
    token: null,
    tokenId: 0,
    tokenGroup: '',
    pinnedChannelId: null,
  };
};
