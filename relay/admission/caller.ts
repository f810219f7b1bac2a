import type { IncomingMessage } from 'node:http';
import { adminRole } from '../../domain/access/roles.ts';
import { isExpired } from '../../domain/access/token-status.ts';
import type { ChannelId, TokenId } from '../../domain/shared/ids.ts';
import type { AccountFeedEntry } from '../../domain/user/feed.ts';
import { type ApiKey, readApiKey } from '../../infra/web/api-key.ts';
import { isNavigation } from '../../infra/web/cross-site.ts';
import type { KnownToken } from '../feeds/token-directory.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { protocolOf } from '../protocol/caller-protocol.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { checkAddress } from './access.ts';
import type { AdmissionDeps } from './deps.ts';
import type { AdmissionProgress } from './refusal-counter.ts';

/** The caller, as far as the checks before the body can identify him. */
export type Caller = Readonly<{
  account: AccountFeedEntry;
  /** null: the playground. */
  token: KnownToken | null;
  tokenId: TokenId;
  /** "" follows the account's group. */
  tokenGroup: string;
  /** The channel that an administrator pinned with the key; null: chosen by the routing. */
  pinnedChannelId: ChannelId | null;
}>;

const webSocketKeyPrefix = 'openai-insecure-api-key.';

const keyInQuery = (url: string): string | null => {
  const query = url.indexOf('?');
  return query === -1 ? null : new URLSearchParams(url.slice(query)).get('key');
};

const keyInProtocols = (protocols: string | undefined): string | null => {
  if (protocols === undefined) return null;
  const parts = protocols.split(',').map((part) => part.trim());
  const own = parts.find((part) => part.startsWith(webSocketKeyPrefix));
  return own === undefined ? null : own.slice(webSocketKeyPrefix.length);
};

/** "" where there is none. */
const geminiKeyIn = ({ headers }: IncomingMessage, url: string): string => {
  const own = headers['x-goog-api-key'] ?? keyInQuery(url);
  return typeof own === 'string' ? own : '';
};

const rawCredential = (req: IncomingMessage): string => {
  const inProtocols = keyInProtocols(req.headers['sec-websocket-protocol']);
  if (inProtocols !== null) return inProtocols;
  const url = req.url ?? '';
  const apiKey = req.headers['x-api-key'];
  if (apiKey !== undefined && url.startsWith('/v1/m')) return String(apiKey);
  const geminiKey = protocolOf(url) === 'gemini' ? geminiKeyIn(req, url) : '';
  if (geminiKey !== '') return geminiKey;
  const authorization = req.headers.authorization ?? '';
  const ofDrawings = req.headers['mj-api-secret'];
  if (ofDrawings === undefined || (authorization !== '' && authorization !== 'midjourney-proxy'))
    return authorization;
  return String(ofDrawings);
};

const keyInNavigation = relayError('key_in_navigation');
const noToken = relayError('invalid_api_key', 'No API key was given');
const unknownToken = relayError('invalid_api_key', 'The API key is invalid');
const unusable = relayError('invalid_api_key', 'The API key is disabled');
const expired = relayError('invalid_api_key', 'The API key has expired');
const banned = relayError('account_deactivated');
const ownerUnknown = relayError('account_unavailable');
const notYourPin = relayError('channel_not_allowed');
const badPin = relayError('invalid_channel_id', 'The channel id behind the key is no number');
const busy = relayError('key_check_unavailable');

const pinned = (pin: string | null, account: AccountFeedEntry): ChannelId | null | ApiError => {
  if (pin === null) return null;
  if (account.role < adminRole) return notYourPin;
  return /^\d{1,9}$/.test(pin) ? Number(pin) : badPin;
};

/** What a caller is identified by; `progress` names the key also where it is refused. */
type Request = Readonly<{ req: IncomingMessage; arrivedAtMs: number; progress: AdmissionProgress }>;

type Check = Readonly<{
  core: AdmissionDeps;
  request: Request;
  token: KnownToken;
  credential: ApiKey;
}>;

/** Key, token, owner and address, in the order of infra/reference/protocols.md, section 4. */
const check = (
  { core, request, token, credential }: Check,
  account: AccountFeedEntry | null,
): Caller | ApiError => {
  const { entry } = token;
  if (entry === null) return unknownToken;
  const { progress } = request;
  progress.userId = entry.userId;
  progress.tokenId = entry.tokenId;
  if (entry.status !== 1) return unusable;
  if (isExpired(entry.expiredTime, Math.floor(request.arrivedAtMs / 1_000))) return expired;
  if (account === null) return ownerUnknown;
  if (account.status === 3) return unknownToken;
  if (account.status !== 1) return banned;
  const pinnedChannelId = pinned(credential.pin, account);
  if (typeof pinnedChannelId === 'object' && pinnedChannelId !== null) return pinnedChannelId;
  const { addresses } = token;
  const refused =
    addresses === null ? null : checkAddress(addresses, core.clientAddress(request.req));
  if (refused !== null) return refused;
  return {
    account,
    token,
    tokenId: entry.tokenId,
    tokenGroup: entry.group,
    pinnedChannelId,
  };
};

const fetchAccount = async (work: Check): Promise<Caller | ApiError> => {
  const userId = work.token.entry?.userId;
  const account = userId === undefined ? null : await work.core.accounts.fetch(userId);
  return check(work, account);
};

const fetchToken = async ({
  core,
  request,
  credential,
}: Omit<Check, 'token'>): Promise<Caller | ApiError> => {
  const token = await core.tokens.fetch(credential.key, request.arrivedAtMs);
  if (token === 'busy') return busy;
  if (token === null) return unknownToken;
  const known = token.entry === null ? undefined : core.accounts.find(token.entry.userId);
  const work = { core, request, token, credential };
  return known === undefined ? fetchAccount(work) : check(work, known);
};

/**
 * The caller of a key, at an address that the key allows. Cached callers are returned at once; a promise
 * only where a feed must be read.
 */
export const identify = (
  core: AdmissionDeps,
  request: Request,
): Caller | ApiError | Promise<Caller | ApiError> => {
  const { req, arrivedAtMs } = request;
  if (isNavigation(req.headers) && keyInQuery(req.url ?? '') !== null) return keyInNavigation;
  const credential = readApiKey(rawCredential(req));
  if (credential === null) return noToken;
  const token = core.tokens.find(credential.key, arrivedAtMs);
  if (token === null) return unknownToken;
  if (token === undefined) return fetchToken({ core, request, credential });
  const userId = token.entry?.userId;
  const account = userId === undefined ? undefined : core.accounts.find(userId);
  const work = { core, request, token, credential };
  return account === undefined ? fetchAccount(work) : check(work, account);
};
