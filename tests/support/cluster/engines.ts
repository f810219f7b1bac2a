import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../infra/embedded/postgres/start-embedded-postgres.ts';
import type { NatsServer } from '../nats-server.ts';
import { killTree, untilGone } from '../processes.ts';
import { eventually } from '../product.ts';
import { silentLogger } from '../silent-logger.ts';
import type { ClusterBuild } from './build.ts';
import { type Member, startMember } from './member.ts';

export type Engines = Readonly<{
  nats: NatsServer;
  eventStore: Member;
  eventStoreUrl: string;
  databaseUrl: string;
  /** `kill -9` of PostgreSQL as a whole, and a new start on the same data. */
  restartPostgres: () => Promise<void>;
  stop: () => Promise<void>;
}>;

const postmasterOf = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** NATS, the event-store node and PostgreSQL, none of them a child of the product. */
export const startEngines = async (
  nats: NatsServer,
  build: ClusterBuild,
  directory: string,
): Promise<Engines> => {
  const dataDir = join(directory, 'postgres');
  await mkdir(dataDir, { recursive: true });
  const start = () => startEmbeddedPostgres({ dataDir, logger: silentLogger });
  let postgres = await start();
  await postgres.createDatabase('tollgate');
  await postgres.createDatabase('event_store');
  let port = 0;
  const eventStore = startMember({
    name: 'event-store',
    build,
    entry: 'infra/embedded/event-store/main',
    env: {
      TOLLGATE_NODE_DATABASE_URL: postgres.url('event_store'),
      get TOLLGATE_NODE_TCP_PORT() {
        return String(port);
      },
    },
    onMessage: (message) => {
      port = (message as { port?: number } | null)?.port ?? port;
    },
  });
  await eventually(async () => {
    if (port === 0) throw new Error(`the event store did not start:\n${eventStore.log()}`);
  });
  return {
    nats,
    eventStore,
    eventStoreUrl: `esdb://127.0.0.1:${port}?tls=false`,
    databaseUrl: postgres.url('tollgate'),
    restartPostgres: async () => {
      await untilGone(killTree(postmasterOf(dataDir)));
      await postgres.stop();
      postgres = await start();
    },
    stop: async () => {
      await eventStore.stop();
      await postgres.stop();
      await nats.stop();
    },
  };
};
