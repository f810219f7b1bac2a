import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient, type JSONEventType, jsonEvent } from '@eventstore/db-client';
import { createLocalStore } from '../../../infra/embedded/event-store/local-store.ts';
import { openEmbeddedLog } from '../../../infra/embedded/event-store/open-log.ts';
import { serveOnDemand } from '../../../infra/embedded/event-store/serve-on-demand.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../infra/embedded/postgres/start-embedded-postgres.ts';
import { socketUrl } from '../../../infra/event-store/socket-address.ts';
import type { EventStore } from '../../../infra/ports/event-store.ts';
import type { Logger } from '../../../infra/ports/logger.ts';
import { choiceOf } from '../../support/engines/choice.ts';

const nothing = (): void => undefined;
export const quiet: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => quiet,
};

/** The node as a separate process, which a test may kill. */
export type TestNode = {
  readonly url: string;
  readonly postgres: EmbeddedPostgres;
  kill: () => Promise<void>;
  start: () => Promise<void>;
  stop: () => Promise<void>;
};

const main = new URL('../../../infra/embedded/event-store/main.ts', import.meta.url).pathname;

type Endpoint = Readonly<{ port: number } | { socketPath: string }>;

const launch = async (databaseUrl: string, endpoint: Endpoint): Promise<[ChildProcess, number]> => {
  const child = fork(main, {
    env: {
      ...process.env,
      TOLLGATE_NODE_DATABASE_URL: databaseUrl,
      ...('port' in endpoint
        ? { TOLLGATE_NODE_TCP_PORT: String(endpoint.port) }
        : { TOLLGATE_NODE_SOCKET: endpoint.socketPath }),
      LOG_LEVEL: 'error',
    },
  });
  const ready = once(child, 'message');
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the node ended with ${String(code)}`);
  });
  const [message] = await Promise.race([ready, failed]);
  failed.catch(nothing);
  return [child, (message as { port: number }).port];
};

/** A folder for engines; as root they run as another user, who must get here. */
const openFolder = async (): Promise<string> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-test-'));
  await chmod(dataDir, 0o755);
  return dataDir;
};

/** The log as the product has it, open in this process and served at `url`. */
export type LocalLog = Readonly<{
  store: EventStore;
  url: string;
  postgres: EmbeddedPostgres;
  /** Ends the database and starts it again. */
  restartDatabase: () => Promise<void>;
  stop: () => Promise<void>;
}>;

export const openLocalLog = async (): Promise<LocalLog> => {
  const dataDir = await openFolder();
  let postgres = await startEmbeddedPostgres({ dataDir, logger: quiet });
  await postgres.createDatabase('events');
  const databaseUrl = postgres.url('events');
  const { context, close } = await openEmbeddedLog({ databaseUrl, logger: quiet });
  const socketPath = join(dataDir, 'events.sock');
  const stopServing = await serveOnDemand(context, socketPath);
  return {
    store: createLocalStore(context),
    url: socketUrl(socketPath),
    postgres,
    restartDatabase: async () => {
      await postgres.stop();
      postgres = await startEmbeddedPostgres({ dataDir, logger: quiet });
    },
    stop: async () => {
      await stopServing();
      await close();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** On a port unless a socket is requested: the tests of the protocol use the client as it is. */
export const startTestNode = async (
  { onSocket }: Readonly<{ onSocket: boolean }> = { onSocket: false },
): Promise<TestNode> => {
  const dataDir = await openFolder();
  const postgres = await startEmbeddedPostgres({ dataDir, logger: quiet });
  await postgres.createDatabase('events');
  const socketPath = join(dataDir, 'events.sock');
  const first: Endpoint = onSocket ? { socketPath } : { port: 0 };
  let [child, port] = await launch(postgres.url('events'), first);
  const endpoint: Endpoint = onSocket ? { socketPath } : { port };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return {
    url: onSocket ? socketUrl(socketPath) : `esdb://127.0.0.1:${port}?tls=false`,
    postgres,
    kill: () => end('SIGKILL'),
    start: async () => {
      [child, port] = await launch(postgres.url('events'), endpoint);
    },
    stop: async () => {
      await end('SIGTERM');
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

export type Engine = Readonly<{
  name: string;
  start: () => Promise<Readonly<{ url: string; stop: () => Promise<void> }>>;
}>;

/** Always the embedded node; a real one as well where there is one for this run. */
export const engines = (): Engine[] => {
  const embedded = { name: 'the embedded node', start: () => startTestNode() };
  const choice = choiceOf('eventStore');
  if (choice.source === 'local') return [embedded];
  const start = async (): ReturnType<Engine['start']> => {
    if (choice.source === 'url') return { url: choice.url, stop: async () => undefined };
    const { startEventStoreContainer } = await import('../../support/engines/containers.ts');
    return startEventStoreContainer(choice.image);
  };
  return [embedded, { name: 'a real node', start }];
};

export const connect = (url: string): EventStoreDBClient =>
  EventStoreDBClient.connectionString(url);

export const streamName = (): string => `test-${randomUUID()}`;

type Happened = JSONEventType<'Happened', { n: number }>;

export const happened = (n: number, type = 'Happened') =>
  jsonEvent<Happened>({ type: type as 'Happened', data: { n } });

export const manyHappened = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => happened(first + index));

/** The number in an event of ours. */
export const numberOf = (event: Readonly<{ data: unknown }> | undefined): number =>
  (event?.data as { n: number } | undefined)?.n ?? Number.NaN;

/** The numbers in the events of a stream, in order. */
export const numbersIn = async (
  client: EventStoreDBClient,
  stream: string,
  options: Parameters<EventStoreDBClient['readStream']>[1] = {},
): Promise<number[]> => {
  const numbers: number[] = [];
  for await (const { event } of client.readStream<Happened>(stream, options)) {
    if (event !== undefined) numbers.push(event.data.n);
  }
  return numbers;
};

export const range = (count: number, first = 0): number[] =>
  Array.from({ length: count }, (_, index) => first + index);

/**
 * Resolves once the check holds; the engines have no event for every change.
 * @param progress the remaining time restarts whenever this changes
 */
export const eventually = async (
  check: () => Promise<boolean> | boolean,
  progress: () => number = () => 0,
): Promise<void> => {
  let reached = progress();
  let end = performance.now() + 20_000;
  while (!(await check())) {
    if (progress() !== reached) {
      reached = progress();
      end = performance.now() + 20_000;
    }
    if (performance.now() > end) throw new Error('it did not come true in time');
    await sleep(20);
  }
};
