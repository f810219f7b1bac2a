import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../infra/embedded/postgres/start-embedded-postgres.ts';
import type { NatsServer } from '../nats-server.ts';
import { killTree, untilGone } from '../processes.ts';
import { eventually } from '../product.ts';
import { silentLogger } from '../silent-logger.ts';
import type { ClusterBuild } from './build.ts';
import type { Machine } from './machine.ts';
import { type Member, startMember } from './member.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

export type Engines = Readonly<{
  nats: NatsServer;
  eventStore: Member;
  eventStoreUrl: string;
  databaseUrl: string;
  /** `kill -9` of PostgreSQL as a whole, and a new start on the same data. */
  restartPostgres: () => Promise<void>;
  /** The same where it does not take connections any more. */
  ensurePostgres: () => Promise<void>;
  /** Under PostgreSQL, of the log and of the read models; null where none could be mounted. */
  disk: SmallDisk | null;
  stop: () => Promise<void>;
}>;

export type EngineOptions = Readonly<{
  directory: string;
  /** Gives PostgreSQL a file system of its own of this size. */
  diskMb?: number;
  eventStoreMachine?: Machine;
}>;

/** null: it has ended by itself. */
const postmasterOf = (dataDir: string): number | null => {
  const path = join(dataDir, 'cluster', 'postmaster.pid');
  if (!existsSync(path)) return null;
  return Number(readFileSync(path, 'utf8').split('\n')[0]);
};

const takesConnections = async (connectionString: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
};

/** NATS, the event-store node and PostgreSQL, none of them a child of the product. */
export const startEngines = async (
  nats: NatsServer,
  build: ClusterBuild,
  { directory, diskMb, eventStoreMachine }: EngineOptions,
): Promise<Engines> => {
  const dataDir = join(directory, 'postgres');
  await mkdir(dataDir, { recursive: true });
  const disk = diskMb === undefined ? null : mountSmallDisk(dataDir, diskMb);
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
      ...eventStoreMachine?.env,
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
  const restartPostgres = async (): Promise<void> => {
    const postmaster = postmasterOf(dataDir);
    if (postmaster !== null) await untilGone(killTree(postmaster));
    await postgres.stop();
    postgres = await start();
  };
  return {
    nats,
    eventStore,
    disk,
    eventStoreUrl: `esdb://127.0.0.1:${port}?tls=false`,
    databaseUrl: postgres.url('tollgate'),
    restartPostgres,
    ensurePostgres: async () => {
      if (!(await takesConnections(postgres.url('postgres')))) await restartPostgres();
    },
    stop: async () => {
      await eventStore.stop();
      await postgres.stop();
      await nats.stop();
      disk?.remove();
    },
  };
};
