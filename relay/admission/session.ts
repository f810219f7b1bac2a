import type { IncomingMessage } from 'node:http';
import { languageOf } from '../../domain/access/language.ts';
import { readSession } from '../../infra/web/session-cookie.ts';
import type { RelayCore } from '../relay-core.ts';
import type { Caller } from './caller.ts';

/** The console's way to say no: an envelope, not an API error. */
export type SessionRefusal = Readonly<{
  kind: 'session-refusal';
  status: 200 | 400 | 401;
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

/** Who is signed in at the console; the checks of the console sheet, section 2.2. */
export const identifySession = async (
  core: RelayCore,
  req: IncomingMessage,
): Promise<Caller | SessionRefusal> => {
  const { vault, clock } = core;
  const session = readSession(req.headers.cookie, vault.unsealSession, clock().getTime());
  if (session === null) {
    return req.headers.authorization
      ? refuse(req, 400, 'access_token_not_supported')
      : refuse(req, 401, 'session.missing');
  }
  const account =
    core.accounts.find(session.userId) ?? (await core.accounts.ask(session.userId)) ?? null;
  if (account === null || account.sessionEpoch !== session.epoch) {
    return refuse(req, 401, 'session.missing');
  }
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
