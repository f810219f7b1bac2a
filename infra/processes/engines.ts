import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../embedded/postgres/start-embedded-postgres.ts';
import type { Foundation } from './foundation.ts';
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

/** Starts whatever engine is not set by a URL; each of them stands alone. */
export const startEngines = async (
  { config, logger }: Foundation,
  dataDir: string,
): Promise<Engines> => {
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
  const nodeDatabase = await databaseOf(postgres, embeddedDatabases.eventStore);
  let portOfFirstLife = 0;
  let announce: (port: number) => void = () => {};
  const firstPort = new Promise<number>((resolve) => {
    announce = resolve;
  });
  const node = supervise({
    name: 'event-store',
    entry: 'infra/embedded/event-store/main',
    env: () => ({
      ...process.env,
      TOLLGATE_NODE_DATABASE_URL: nodeDatabase,
      TOLLGATE_NODE_PORT: String(portOfFirstLife),
    }),
    logger,
    onLife: (child) => {
      child.on('message', (message: unknown) => {
        const { kind, port } = (message ?? {}) as { kind?: string; port?: number };
        if (kind !== 'ready' || port === undefined) return;
        portOfFirstLife = port;
        announce(port);
      });
    },
  });
  const port = await firstPort;
  return {
    urls: { eventStoreUrl: `esdb://127.0.0.1:${port}?tls=false`, databaseUrl },
    stop: async () => {
      await node.stop();
      await postgres.stop();
    },
  };
};
