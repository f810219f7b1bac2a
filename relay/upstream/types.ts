import type { ApiError } from '../protocol/api-error.ts';

/** What goes over the wire to a provider. */
export type UpstreamRequest = Readonly<{
  /** Scheme, host and port. */
  origin: string;
  path: string;
  /** Names and values in turn. */
  headers: readonly string[];
  body: Buffer;
  /** "" for none. */
  proxy: string;
  upstreamModel: string;
  /** Usage was requested from the provider although the client did not request it. */
  addedUsage: boolean;
  /** POST when absent. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
}>;

export type UpstreamFailure = Readonly<{
  /** `connect`: no answer. `status`: a refusal. `body`: an unusable answer. */
  kind: 'connect' | 'timeout' | 'status' | 'body';
  /** The upstream's status; 0 when there was none. */
  upstreamStatus: number;
  error: ApiError;
  retryable: boolean;
}>;

export type HttpRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** At a `wss:` address `body` goes up as one text frame; each frame back is one line of bytes. */
  url: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | FormData | null;
  /** The address was chosen by a caller: private ranges are refused after name resolution. */
  publicOnly?: true;
  /** A longer answer is cut off and refused. */
  maxBytes?: number;
  /** Of a longer answer only about this much is read, and the connection is given up. */
  headBytes?: number;
  /** For the whole call; two minutes when absent. */
  timeoutMs?: number;
}>;

export type HttpReply = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}>;

/** What a translation may need from outside; handed in, so that translations are tested by data. */
export type ProviderIo = Readonly<{
  /** A helper call to the provider or, for pictures by URL, to a public address. */
  fetch: (request: HttpRequest) => Promise<HttpReply>;
  now: () => Date;
  /** Random, for ids that a provider or a client expects. */
  newId: () => string;
  pause: (ms: number) => Promise<void>;
  /** Keeps access tokens and the like for as long as they hold. */
  cached: (
    key: string,
    make: () => Promise<{ value: string; ttlSeconds: number }>,
  ) => Promise<string>;
  /** Throws a kept value away that the provider no longer takes. */
  forget?: (key: string) => void;
}>;

/** Where a session goes, and with which headers. */
export type SocketRequest = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  /** "" for none. */
  proxy: string;
  upstreamModel: string;
}>;
