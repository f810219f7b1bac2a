import { join } from 'node:path';
import { engineEnvironment } from '../embedded/engine-environment.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../embedded/postgres/start-embedded-postgres.ts';
import { openSocketDirectory } from '../embedded/socket-directory.ts';
import { socketUrl } from '../event-store/socket-address.ts';
import type { Runtime } from './runtime.ts';
import { supervise } from './supervise.ts';

export type Engines = Readonly<{
  urls: Readonly<{ eventStoreUrl: string; databaseUrl: string }>;
  stop: () => Promise<void>;
}>;

/** Both in the one embedded PostgreSQL. */
export const embeddedDatabases = { readModels: 'tollgate', eventStore: 'event_store' } as const;

const databaseOf = async (postgres: EmbeddedPostgres, name: string): Promise<string> => {
  await postgres.createDatabase(name);
  return postgres.url(name);
};

const socketName = 'event-store.sock';

/** The event store as a child process, behind a socket that only this user can reach. */
const startNode = async ({ logger }: Runtime, dataDir: string, databaseUrl: string) => {
  const directory = await openSocketDirectory(join(dataDir, 'event-store'), socketName);
  const socketPath = join(directory.path, socketName);
  let announce: () => void = () => {};
  const isReady = new Promise<void>((resolve) => {
    announce = resolve;
  });
  const node = supervise({
    name: 'event-store',
    entry: 'infra/embedded/event-store/main',
    // Memory of socket reads is freed by scavenges; without these flags V8 marks the whole heap for
    // it (decision 0023).
    nodeFlags: ['--min-semi-space-size=2', '--max-semi-space-size=4', '--heap-growing-percent=100'],
    env: () =>
      engineEnvironment({
        TOLLGATE_NODE_DATABASE_URL: databaseUrl,
        TOLLGATE_NODE_SOCKET: socketPath,
      }),
    logger,
    onInstance: (child) => {
      child.on('message', (message: unknown) => {
        if ((message as { kind?: string } | null)?.kind === 'ready') announce();
      });
    },
  });
  await isReady;
  return {
    url: socketUrl(socketPath),
    stop: async () => {
      await node.stop();
      await directory.remove();
    },
  };
};

/** Starts whatever engine is not set by a URL; each of them is independent. */
export const startEngines = async (runtime: Runtime, dataDir: string): Promise<Engines> => {
  const { config, logger } = runtime;
  if (config.eventStoreUrl !== null && config.databaseUrl !== null) {
    const urls = { eventStoreUrl: config.eventStoreUrl, databaseUrl: config.databaseUrl };
    return { urls, stop: async () => {} };
  }
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), logger });
  const databaseUrl =
    config.databaseUrl ?? (await databaseOf(postgres, embeddedDatabases.readModels));
  if (config.eventStoreUrl !== null) {
    return { urls: { eventStoreUrl: config.eventStoreUrl, databaseUrl }, stop: postgres.stop };
  }
  const node = await startNode(
    runtime,
    dataDir,
    await databaseOf(postgres, embeddedDatabases.eventStore),
  );
  return {
    urls: { eventStoreUrl: node.url, databaseUrl },
    stop: async () => {
      await node.stop();
      await postgres.stop();
    },
  };
};
