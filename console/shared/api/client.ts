import { isRecord } from '../local-values.ts';
import { storedUser } from '../session.ts';
import { ApiError } from './api-error.ts';

type QueryValue = string | number | boolean | undefined;
export type Query = Readonly<Record<string, QueryValue>>;
export type Envelope<T> = Readonly<{ success: boolean; message: string; data: T }> &
  Readonly<Record<string, unknown>>;

type Wiring = Readonly<{
  language: () => string;
  onUnauthorised: () => void;
  /** Asks for the second factor; true: the call can be made again. */
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

/** The app hands in what the client must not know: the router and the language. */
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

/** Our own error texts stand in `message` or, in the relay's protocol, in `error.message`. */
const messageOf = (body: unknown): string => {
  if (!isRecord(body)) return '';
  // Calls about payments say only that it went wrong, and put the words into `data`.
  if (body.message === 'error' && typeof body.data === 'string') return body.data;
  if (typeof body.message === 'string') return body.message;
  if (isRecord(body.error) && typeof body.error.message === 'string') return body.error.message;
  return '';
};

const requestIdOf = (response: Response): string => response.headers.get('x-request-id') ?? '';

/** @throws ApiError for every answer that is not 2xx; tells the app about a lost session. */
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

/** @throws ApiError of kind `network`; an abort goes on as it is. */
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

type ExtraHeaders = Readonly<Record<string, string>>;
type Call = Readonly<{
  method: string;
  path: string;
  body?: unknown;
  headers?: ExtraHeaders;
  signal?: AbortSignal;
}>;

const envelopeOf = async <T>(response: Response): Promise<Envelope<T>> => {
  if (!response.ok) await failFrom(response);
  const body = parse(await response.text());
  if (isRecord(body) && body.success === true) return body as Envelope<T>;
  throw new ApiError(messageOf(body), {
    kind: 'refused',
    status: response.status,
    code: isRecord(body) && typeof body.code === 'string' ? body.code : '',
    requestId: requestIdOf(response),
  });
};

const isForbidden = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.status === 403 && error.code === code;

/** The caller has to prove anew who they are. */
const proofCodes = ['auth.second-factor-required', 'auth.password-required'] as const;

type Performed<T> = Readonly<{ envelope: Envelope<T>; response: Response }>;

const performOnce = async <T>(call: Call): Promise<Performed<T>> => {
  const hasBody = call.body !== undefined;
  const response = await send(call.path, {
    method: call.method,
    headers: {
      ...apiHeaders(),
      ...(hasBody && { 'Content-Type': 'application/json' }),
      ...call.headers,
    },
    ...(hasBody && { body: JSON.stringify(call.body) }),
    ...(call.signal && { signal: call.signal }),
  });
  return { envelope: await envelopeOf<T>(response), response };
};

/** A call that the server wants confirmed by the second factor is made again after that. */
const perform = async <T>(call: Call): Promise<Performed<T>> => {
  try {
    return await performOnce<T>(call);
  } catch (error) {
    if (isForbidden(error, 'auth.second-factor-not-enrolled')) wiring.onEnrolmentNeeded();
    const isAsked = proofCodes.some((code) => isForbidden(error, code));
    if (!isAsked || !(await wiring.confirm())) throw error;
    return performOnce<T>(call);
  }
};

/** For the answer that leads a browser on: done as soon as it does. */
export const followed = async (path: string, query?: Query): Promise<void> => {
  const init = { method: 'GET', headers: apiHeaders(), redirect: 'manual' } as const;
  const response = await send(withQuery(path, query), init);
  if (response.type !== 'opaqueredirect') await envelopeOf(response);
};

export const getJson = async <T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> =>
  (await perform<T>({ method: 'GET', path: withQuery(path, query), ...(signal && { signal }) }))
    .envelope.data;

/** For the few answers that carry something beside `data`. */
export const getEnvelope = async <T>(path: string, query?: Query): Promise<Envelope<T>> =>
  (await perform<T>({ method: 'GET', path: withQuery(path, query) })).envelope;

export type Listed<T> = Readonly<{ items: readonly T[]; total: number | null }>;

/** Lists that answer with a bare array; the total comes in a header where the server knows it. */
export const getArray = async <T>(path: string, query?: Query): Promise<Listed<T>> => {
  const { envelope, response } = await perform<T[] | null>({
    method: 'GET',
    path: withQuery(path, query),
  });
  const total = Number(response.headers.get('x-total-count') ?? Number.NaN);
  return { items: envelope.data ?? [], total: Number.isSafeInteger(total) ? total : null };
};

export const postJson = async <T = void>(
  path: string,
  body: unknown,
  headers: ExtraHeaders = {},
): Promise<T> => (await perform<T>({ method: 'POST', path, body, headers })).envelope.data;

/** For the few answers that carry something beside `data`. */
export const postEnvelope = async <T>(path: string, body: unknown): Promise<Envelope<T>> =>
  (await perform<T>({ method: 'POST', path, body })).envelope;

export const putJson = async <T = void>(path: string, body: unknown): Promise<T> =>
  (await perform<T>({ method: 'PUT', path, body })).envelope.data;

export const deleteJson = async <T = void>(path: string): Promise<T> =>
  (await perform<T>({ method: 'DELETE', path })).envelope.data;
