import {
  ErrorCode,
  Events,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
} from 'nats';
import { BusUnavailableError } from '../../ports/bus.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Timers } from '../../ports/timers.ts';
import { nodeSystem } from '../../system/node-system.ts';
import { connectionOptionsOf, connectPatiently } from './nats-connect.ts';
import { createReconnectDelay } from './reconnect-delay.ts';

/** Milliseconds between two tries to get the line back. */
const reconnectMs = 250;

type Listener = () => void;
type Forget = () => void;

/** One connection with what all parts of the adapter share. */
export type NatsLink = Readonly<{
  connection: NatsConnection;
  jetStream: JetStreamClient;
  manager: JetStreamManager;
  logger: Logger;
  system: Readonly<{ timers: Timers; random: Random }>;
  /** Prefix of every subject, stream and bucket, so that installations may share a server. */
  namespace: string;
  /** How many servers keep a copy of streams and buckets. */
  replicas: number;
  /** False: streams and buckets exist or will be made; the control plane makes them. */
  creates: boolean;
  onReconnect: (listener: Listener) => Forget;
  onDisconnect: (listener: Listener) => Forget;
  isConnected: () => boolean;
}>;

/** Codes by which the client reports a missing answer, as opposed to a refusal. */
const absent = new Set<string>([
  ErrorCode.Timeout,
  ErrorCode.NoResponders,
  ErrorCode.ConnectionClosed,
  ErrorCode.ConnectionDraining,
  ErrorCode.ConnectionRefused,
  ErrorCode.ConnectionTimeout,
  ErrorCode.Disconnect,
]);

/** The error in the terms of the rooms: BusUnavailableError when no answer arrived. */
const asBusError = (error: unknown, subject: string): unknown =>
  error instanceof NatsError && absent.has(error.code)
    ? new BusUnavailableError(subject, error.message)
    : error;

/**
 * Does work that needs the server. While the line is down, and when it breaks meanwhile, it fails
 * at once: the answer is lost, and the client would wait for it until the timeout.
 */
export const reaching = async <T>(
  link: NatsLink,
  subject: string,
  work: () => Promise<T>,
): Promise<T> => {
  if (!link.isConnected()) throw new BusUnavailableError(subject, 'not connected');
  let forget: () => void = () => undefined;
  const broken = new Promise<never>((_, reject) => {
    forget = link.onDisconnect(() =>
      reject(new BusUnavailableError(subject, 'the connection was lost')),
    );
  });
  try {
    return await Promise.race([work(), broken]);
  } catch (error) {
    throw asBusError(error, subject);
  } finally {
    forget();
  }
};

/** Waits until the line is up, or `signal` aborts. */
export const lineIsUp = (link: NatsLink, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted || link.isConnected()) return resolve();
    const go = (): void => {
      forget();
      signal.removeEventListener('abort', go);
      resolve();
    };
    const forget = link.onReconnect(go);
    signal.addEventListener('abort', go);
  });

/** JetStream's "wrong last sequence": another writer was first. */
export const isConflict = (error: unknown): boolean =>
  error instanceof NatsError && error.api_error?.err_code === 10_071;

export const isNotFound = (error: unknown): boolean =>
  error instanceof NatsError && error.api_error?.code === 404;

/** The stream behind a bucket does not answer: it is gone, or all of JetStream is away. */
export const isMissing = (error: unknown): boolean =>
  isNotFound(error) || (error instanceof NatsError && error.code === ErrorCode.NoResponders);

const createListeners = () => {
  const listeners = new Set<Listener>();
  return {
    add: (listener: Listener): Forget => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    callAll: (): void => {
      for (const listener of [...listeners]) listener();
    },
  };
};

const followStatus = async (
  connection: NatsConnection,
  logger: Logger,
  onLine: (connected: boolean) => void,
): Promise<void> => {
  for await (const { type, data } of connection.status()) {
    if (type === Events.Error) logger.error({ code: data }, 'NATS reports an error');
    if (type === Events.Disconnect) {
      logger.warn({ server: data }, 'NATS is gone');
      onLine(false);
    }
    if (type === Events.Reconnect) {
      logger.info({ server: data }, 'NATS is back');
      onLine(true);
    }
  }
};

export type NatsOptions = Readonly<{
  url: string;
  logger: Logger;
  /** Shown by the server's monitoring. */
  name: string;
  namespace?: string;
  replicas?: number;
  /** Whether this process makes streams and buckets that are missing; true by default. */
  creates?: boolean;
}>;

export const openNatsLink = async (options: NatsOptions): Promise<NatsLink> => {
  const { logger, namespace = 'tollgate', replicas = 1, creates = true } = options;
  const system = nodeSystem;
  const connection = await connectPatiently(
    {
      ...connectionOptionsOf(options.url),
      name: options.name,
      maxReconnectAttempts: -1,
      // Passwords are changed on the server while processes run; they reconnect with the new one.
      ignoreAuthErrorAbort: true,
      reconnectDelayHandler: createReconnectDelay(() => system.timers.now(), reconnectMs),
      pingInterval: 20_000,
      // A stack trace for every request costs more than the request.
      noAsyncTraces: true,
    },
    logger,
    system.timers,
  );
  const onReconnect = createListeners();
  const onDisconnect = createListeners();
  let connected = true;
  void followStatus(connection, logger, (now) => {
    connected = now;
    (now ? onReconnect : onDisconnect).callAll();
  });
  return {
    connection,
    jetStream: connection.jetstream({ checkAPI: creates }),
    manager: await connection.jetstreamManager({ checkAPI: creates }),
    logger,
    system,
    namespace,
    replicas,
    creates,
    onReconnect: onReconnect.add,
    onDisconnect: onDisconnect.add,
    isConnected: () => connected && !connection.isClosed(),
  };
};
