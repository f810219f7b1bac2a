import { setTimeout as delay } from 'node:timers/promises';
import {
  type ConnectionOptions,
  connect,
  ErrorCode,
  Events,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
} from 'nats';
import { BusUnavailableError } from '../../ports/bus.ts';
import type { Logger } from '../../ports/logger.ts';
import { retryDelayMs } from '../retry.ts';

/** One connection with what all parts of the adapter share. */
export type NatsLink = Readonly<{
  connection: NatsConnection;
  jetStream: JetStreamClient;
  manager: JetStreamManager;
  logger: Logger;
  /** Stands before every subject, stream and bucket, so that installations may share a server. */
  namespace: string;
  /** How many servers keep a copy of streams and buckets. */
  replicas: number;
  onReconnect: (listener: () => void) => () => void;
}>;

const firstConnectTimeoutMs = 60_000;

/** Codes by which the client says that nobody answered, as opposed to: the answer was no. */
const absent = new Set<string>([
  ErrorCode.Timeout,
  ErrorCode.NoResponders,
  ErrorCode.ConnectionClosed,
  ErrorCode.ConnectionDraining,
  ErrorCode.ConnectionRefused,
  ErrorCode.ConnectionTimeout,
  ErrorCode.Disconnect,
]);

/** The error as rooms know it: BusUnavailableError when nobody answered. */
export const asBusError = (error: unknown, subject: string): unknown =>
  error instanceof NatsError && absent.has(error.code) ? new BusUnavailableError(subject) : error;

export const unavailableAs = async <T>(subject: string, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw asBusError(error, subject);
  }
};

/** JetStream's "wrong last sequence": somebody else wrote first. */
export const isConflict = (error: unknown): boolean =>
  error instanceof NatsError && error.api_error?.err_code === 10_071;

export const isNotFound = (error: unknown): boolean =>
  error instanceof NatsError && error.api_error?.code === 404;

/** Several servers stand in one text, separated by commas; name and password in front of the host. */
const parseUrl = (text: string): Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'tls'> => {
  const urls = text.split(',').map((part) => new URL(part.trim()));
  const [first] = urls;
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || '4222'}`),
    ...(first?.username ? { user: decodeURIComponent(first.username) } : {}),
    ...(first?.password ? { pass: decodeURIComponent(first.password) } : {}),
    ...(urls.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {}),
  };
};

/** Waits for a server that starts later than this process; after that the client reconnects itself. */
const connectPatiently = async (options: ConnectionOptions, logger: Logger) => {
  const deadline = performance.now() + firstConnectTimeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect(options);
    } catch (error) {
      if (performance.now() > deadline) throw error;
      logger.warn({ err: error, attempt }, 'NATS does not answer yet');
      await delay(retryDelayMs(attempt));
    }
  }
};

const followStatus = async (
  { connection, logger }: Pick<NatsLink, 'connection' | 'logger'>,
  listeners: ReadonlySet<() => void>,
): Promise<void> => {
  for await (const { type, data } of connection.status()) {
    if (type === Events.Disconnect) logger.warn({ server: data }, 'NATS is gone');
    if (type === Events.Error) logger.error({ code: data }, 'NATS reports an error');
    if (type !== Events.Reconnect) continue;
    logger.info({ server: data }, 'NATS is back');
    for (const listener of [...listeners]) listener();
  }
};

export type NatsOptions = Readonly<{
  url: string;
  logger: Logger;
  /** Shown by the server's monitoring. */
  name: string;
  namespace?: string;
  replicas?: number;
}>;

export const openNatsLink = async (options: NatsOptions): Promise<NatsLink> => {
  const { logger, namespace = 'tollgate', replicas = 1 } = options;
  const connection = await connectPatiently(
    {
      ...parseUrl(options.url),
      name: options.name,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      pingInterval: 20_000,
      // A stack trace for every request costs more than the request.
      noAsyncTraces: true,
    },
    logger,
  );
  const listeners = new Set<() => void>();
  void followStatus({ connection, logger }, listeners);
  return {
    connection,
    jetStream: connection.jetstream(),
    manager: await connection.jetstreamManager(),
    logger,
    namespace,
    replicas,
    onReconnect: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
