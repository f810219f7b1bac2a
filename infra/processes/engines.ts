import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../embedded/postgres/start-embedded-postgres.ts';
import { openSocketDirectory } from '../embedded/socket-directory.ts';
import { socketUrl } from '../event-store/socket-address.ts';
import type { Runtime } from './runtime.ts';

export type Engines = Readonly<{
  urls: Readonly<{ eventStoreUrl: string; databaseUrl: string }>;
  /** Of the embedded log, which the control process opens and serves at its URL; null: another store has the log. */
  logDatabaseUrl: string | null;
  stop: () => Promise<void>;
}>;

/** Both in the one embedded PostgreSQL (decision 0028). */
export const embeddedDatabases = { readModels: 'tollgate', eventStore: 'event_store' } as const;

const databaseOf = async (postgres: EmbeddedPostgres, name: string): Promise<string> => {
  await postgres.createDatabase(name);
  return postgres.url(name);
};

const socketName = 'event-store.sock';

/** Starts whatever engine is not set by a URL; each of them is independent. */
export const startEngines = async (runtime: Runtime, dataDir: string): Promise<Engines> => {
  const { config, logger } = runtime;
  if (config.eventStoreUrl !== null && config.databaseUrl !== null) {
    const urls = { eventStoreUrl: config.eventStoreUrl, databaseUrl: config.databaseUrl };
    return { urls, logDatabaseUrl: null, stop: async () => {} };
  }
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), logger });
  const databaseUrl =
    config.databaseUrl ?? (await databaseOf(postgres, embeddedDatabases.readModels));
  if (config.eventStoreUrl !== null) {
    const urls = { eventStoreUrl: config.eventStoreUrl, databaseUrl };
    return { urls, logDatabaseUrl: null, stop: postgres.stop };
  }
  const logDatabaseUrl = await databaseOf(postgres, embeddedDatabases.eventStore);
  const directory = await openSocketDirectory(join(dataDir, 'event-store'), socketName);
  return {
    urls: { eventStoreUrl: socketUrl(join(directory.path, socketName)), databaseUrl },
    logDatabaseUrl,
    stop: async () => {
      await postgres.stop();
      await directory.remove();
    },
  };
};
