import { isRecord } from '../local-values.ts';
import { storedUser } from '../session.ts';
import { ApiError } from './api-error.ts';
import type { Answer, DataOf, QueryValue, RouteKey, Sent } from './routes.ts';

export type Query = Readonly<Record<string, QueryValue>>;

type Wiring = Readonly<{
  language: () => string;
  onUnauthorised: () => void;
  /** Requires the second factor; true: the call can be made again. */
  confirm: () => Promise<boolean>;
  /** The site demands a second factor of this administrator first. */
  onEnrolmentNeeded: () => void;
}>;
let wiring: Wiring = {
  language: () => 'zh',
  onUnauthorised: () => undefined,
  confirm: async () => false,
  onEnrolmentNeeded: () => undefined,
};

/** The app hands in the router and the language. */
export const configureApi = (next: Wiring): void => {
  wiring = next;
};

/** Every value encoded; absent ones left out. */
export const withQuery = (path: string, query: Query = {}): string => {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return path;
  return `${path}?${new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]))}`;
};

export const apiHeaders = (): Record<string, string> => ({
  'New-Api-User': String(storedUser()?.id ?? -1),
  'Cache-Control': 'no-store',
  'Accept-Language': wiring.language(),
});

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Our own error texts are in `message` or, in the relay's protocol, in `error.message`. */
const messageOf = (body: unknown): string => {
  if (!isRecord(body)) return '';
  // Calls about payments report only a failure, and put the text into `data`.
  if (body.message === 'error' && typeof body.data === 'string') return body.data;
  if (typeof body.message === 'string') return body.message;
  if (isRecord(body.error) && typeof body.error.message === 'string') return body.error.message;
  return '';
};

const requestIdOf = (response: Response): string => response.headers.get('x-request-id') ?? '';

/** @throws ApiError for every answer that is not 2xx; informs the app of a lost session. */
export const failFrom = async (response: Response): Promise<never> => {
  if (response.status === 401) wiring.onUnauthorised();
  const body = parse(await response.text().catch(() => ''));
  throw new ApiError(messageOf(body) || response.statusText, {
    kind: 'http',
    status: response.status,
    code: isRecord(body) && typeof body.code === 'string' ? body.code : '',
    requestId: requestIdOf(response),
  });
};

/** @throws ApiError of kind `network`; an abort is passed on unchanged. */
export const send = async (path: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(path, { credentials: 'same-origin', ...init });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError(cause instanceof Error ? cause.message : String(cause), {
      kind: 'network',
      status: 0,
    });
  }
};

type Parts = Readonly<{
  params?: Readonly<Record<string, unknown>>;
  query?: Query;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}>;

/** Method and address of a call: a route is `METHOD path`. */
const addressOf = (key: RouteKey, { params = {}, query }: Parts) => {
  const [method = '', path = ''] = key.split(' ');
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])));
  return { method, address: withQuery(filled, query) };
};

const envelopeOf = async (response: Response): Promise<unknown> => {
  if (!response.ok) await failFrom(response);
  const body = parse(await response.text());
  if (isRecord(body) && body.success === true) return body;
  throw new ApiError(messageOf(body), {
    kind: 'refused',
    status: response.status,
    code: isRecord(body) && typeof body.code === 'string' ? body.code : '',
    requestId: requestIdOf(response),
  });
};

const isForbidden = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.status === 403 && error.code === code;

/** The caller has to prove again who they are. */
const proofCodes = ['auth.second-factor-required', 'auth.password-required'] as const;

const performOnce = async (key: RouteKey, parts: Parts): Promise<unknown> => {
  const { method, address } = addressOf(key, parts);
  const hasBody = parts.body !== undefined;
  const response = await send(address, {
    method,
    headers: {
      ...apiHeaders(),
      ...(hasBody && { 'Content-Type': 'application/json' }),
      ...parts.headers,
    },
    ...(hasBody && { body: JSON.stringify(parts.body) }),
  });
  return envelopeOf(response);
};

/** A call that the server requires to be confirmed by the second factor is repeated after that. */
const perform = async (key: RouteKey, parts: Parts): Promise<unknown> => {
  try {
    return await performOnce(key, parts);
  } catch (error) {
    if (isForbidden(error, 'auth.second-factor-not-enrolled')) wiring.onEnrolmentNeeded();
    const isProofNeeded = proofCodes.some((code) => isForbidden(error, code));
    if (!isProofNeeded || !(await wiring.confirm())) throw error;
    return performOnce(key, parts);
  }
};

/** A call without parts needs no second argument. */
type Rest<K extends RouteKey> = object extends Sent<K> ? [sent?: Sent<K>] : [sent: Sent<K>];

/** Calls a route; the whole answer, for the few that carry something next to `data`. @throws ApiError */
export const callForAnswer = async <K extends RouteKey>(
  key: K,
  ...[sent]: Rest<K>
): Promise<Answer<K>> => (await perform(key, sent ?? {})) as Answer<K>;

/** Calls a route; `data` of its answer. @throws ApiError */
export const call = async <K extends RouteKey>(key: K, ...rest: Rest<K>): Promise<DataOf<K>> =>
  (await callForAnswer(key, ...rest)).data;

/** For the answer that leads a browser on: done as soon as it does. */
export const followed = async <K extends RouteKey>(key: K, sent: Sent<K>): Promise<void> => {
  const { method, address } = addressOf(key, sent);
  const response = await send(address, { method, headers: apiHeaders(), redirect: 'manual' });
  if (response.type !== 'opaqueredirect') await envelopeOf(response);
};
