import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../infra/embedded/postgres/start-embedded-postgres.ts';
import { freePort } from '../free-port.ts';
import type { NatsServer } from '../nats-server.ts';
import { killTree, untilGone } from '../processes.ts';
import { eventually } from '../product.ts';
import { silentLogger } from '../silent-logger.ts';
import type { ClusterBuild } from './build.ts';
import { noForeignEngines, startForeignEngines } from './foreign-engines.ts';
import type { Machine } from './machine.ts';
import { type Member, startMember } from './member.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

export type Engines = Readonly<{
  nats: NatsServer;
  /** null where it is not the embedded node. */
  eventStore: Member | null;
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

/** The embedded node, to be killed or to hang. @throws where the cluster has another one */
export const ownEventStore = ({ eventStore }: Engines): Member => {
  if (eventStore === null) throw new Error('the event store is not ours to kill');
  return eventStore;
};

export type EngineOptions = Readonly<{
  directory: string;
  /** Gives PostgreSQL a file system of this size. */
  diskMb?: number;
  eventStoreMachine?: Machine;
  /** From where this run has its engines; else all that can be killed are embedded. */
  asChosen?: boolean;
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

type Postgres = Readonly<{
  url: (database: string) => string;
  restart: Engines['restartPostgres'];
  disk: SmallDisk | null;
  stop: () => Promise<void>;
}>;

const startOwnPostgres = async ({ directory, diskMb }: EngineOptions): Promise<Postgres> => {
  const dataDir = join(directory, 'postgres');
  await mkdir(dataDir, { recursive: true });
  const disk = diskMb === undefined ? null : mountSmallDisk(dataDir, diskMb);
  const start = () => startEmbeddedPostgres({ dataDir, logger: silentLogger });
  let postgres = await start();
  await postgres.createDatabase('tollgate');
  await postgres.createDatabase('event_store');
  return {
    url: (database) => postgres.url(database),
    restart: async () => {
      const postmaster = postmasterOf(dataDir);
      if (postmaster !== null) await untilGone(killTree(postmaster));
      await postgres.stop();
      postgres = await start();
    },
    disk,
    stop: async () => {
      await postgres.stop();
      disk?.remove();
    },
  };
};

const startOwnEventStore = async (
  build: ClusterBuild,
  databaseUrl: () => string,
  machine: Machine | undefined,
): Promise<Readonly<{ member: Member; url: string }>> => {
  const port = await freePort();
  let isListening = false;
  const member = startMember({
    name: 'event-store',
    build,
    entry: 'infra/embedded/event-store/main',
    env: {
      ...machine?.env,
      get TOLLGATE_NODE_DATABASE_URL() {
        return databaseUrl();
      },
      TOLLGATE_NODE_TCP_PORT: String(port),
    },
    onMessage: (message) => {
      isListening ||= (message as { port?: number } | null)?.port === port;
    },
  });
  await eventually(async () => {
    if (!isListening) throw new Error(`the event store did not start:\n${member.log()}`);
  });
  return { member, url: `esdb://127.0.0.1:${port}?tls=false` };
};

/** NATS, the event-store node and PostgreSQL, none of them a child of the product. */
export const startEngines = async (
  nats: NatsServer,
  build: ClusterBuild,
  options: EngineOptions,
): Promise<Engines> => {
  const foreign = options.asChosen === true ? await startForeignEngines() : noForeignEngines;
  const { databaseUrl, eventStoreUrl } = foreign;
  const isNeeded = databaseUrl === null || eventStoreUrl === null;
  const postgres = isNeeded ? await startOwnPostgres(options) : null;
  const urlOf = (database: string): string => postgres?.url(database) ?? '';
  const own =
    eventStoreUrl === null
      ? await startOwnEventStore(build, () => urlOf('event_store'), options.eventStoreMachine)
      : null;
  const restartPostgres = async (): Promise<void> => {
    if (postgres === null) throw new Error('PostgreSQL is not ours to kill');
    await postgres.restart();
  };
  return {
    nats,
    eventStore: own?.member ?? null,
    disk: postgres?.disk ?? null,
    eventStoreUrl: eventStoreUrl ?? own?.url ?? '',
    databaseUrl: databaseUrl ?? urlOf('tollgate'),
    restartPostgres,
    ensurePostgres: async () => {
      if (!(await takesConnections(urlOf('postgres')))) await restartPostgres();
    },
    stop: async () => {
      await own?.member.stop();
      await postgres?.stop();
      await nats.stop();
      await foreign.stop();
    },
  };
};
