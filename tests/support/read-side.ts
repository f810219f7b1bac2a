import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery, type Kysely } from 'kysely';
import type { Event, Metadata } from '../../domain/shared/event.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { startEmbeddedPostgres } from '../../infra/embedded/postgres/start-embedded-postgres.ts';
import { createMetrics } from '../../infra/metrics/create-metrics.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { createDatabase } from '../../infra/postgres/create-database.ts';
import { nodeSystem } from '../../infra/system/node-system.ts';
import { createProjections, type Projections } from '../../projections/create-projections.ts';
import { choiceOf } from './engines/choice.ts';
import { createMemoryEventStore, type MemoryEventStore } from './memory-event-store.ts';
import { aMetadata } from './metadata-examples.ts';
import { testReadSessions } from './sessions.ts';
import { silentLogger } from './silent-logger.ts';
import { vaultOf } from './vault.ts';

export type TestPostgres = Readonly<{
  /** A separate empty database. */
  database: () => Promise<TestDatabase>;
  stop: () => Promise<void>;
}>;
export type TestDatabase = Readonly<{
  db: Kysely<unknown>;
  url: string;
  close: () => Promise<void>;
}>;

type Engine = Readonly<{
  url: (database: string) => string;
  create: (database: string) => Promise<void>;
  stop: () => Promise<void>;
}>;

const named = (base: string): Engine => ({
  url: (database) => {
    const url = new URL(base);
    url.pathname = `/${database}`;
    return url.toString();
  },
  create: async (database) => {
    const admin = createDatabase({ url: base, applicationName: 'tests', maxConnections: 1 });
    await admin.db.executeQuery(CompiledQuery.raw(`CREATE DATABASE "${database}"`));
    await admin.close();
  },
  stop: async () => {},
});

const embedded = async (): Promise<Engine> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'read-side-'));
  const engine = await startEmbeddedPostgres({ dataDir, logger: silentLogger });
  return {
    url: engine.url,
    create: engine.createDatabase,
    stop: async () => {
      await engine.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

const contained = async (image: string): Promise<Engine> => {
  const { startPostgresContainer } = await import('./engines/containers.ts');
  const { url, stop } = await startPostgresContainer(image);
  return { ...named(url), stop };
};

const startEngine = async (): Promise<Engine> => {
  const choice = choiceOf('postgres');
  if (choice.source === 'url') return named(choice.url);
  return choice.source === 'container' ? contained(choice.image) : embedded();
};

/** PostgreSQL of `TEST_DATABASE_URL`, else one for this test file: a container, or embedded. */
export const startTestPostgres = async (): Promise<TestPostgres> => {
  const engine = await startEngine();
  return {
    database: async () => {
      const name = `read_${randomUUID().replaceAll('-', '')}`;
      await engine.create(name);
      const url = engine.url(name);
      const options = { url, applicationName: 'read-side', synchronousCommit: false };
      const { db, pool, close } = createDatabase({ ...options, maxConnections: 12 });
      // A connection that breaks while it is in use fails twice: in its query, and here.
      pool.on('connect', (client) => client.on('error', () => undefined));
      return { db, url, close };
    },
    stop: engine.stop,
  };
};

/** Appends events to their streams; each may carry its own metadata. */
export const appendTo =
  (eventStore: MemoryEventStore) =>
  async (streamId: string, ...events: readonly (Event | [Event, Partial<Metadata>])[]) => {
    const appended = events.map((entry) => {
      const [event, changes] = Array.isArray(entry) ? entry : [entry, {}];
      return { event, eventId: randomUUID(), metadata: aMetadata(changes) };
    });
    return eventStore.append(streamId, appended, 'any');
  };

/** Resolves once every projection has passed the newest event of the log. */
export const projected = async (
  bus: Bus,
  eventStore: MemoryEventStore,
  names: readonly string[],
): Promise<void> => {
  const goal = (await eventStore.head()) ?? 0n;
  const reached = new Set<string>();
  type Notice = { checkpoints: readonly { name: string; position: string; failed?: true }[] };
  await new Promise<void>((resolve, reject) => {
    const hear = ({ checkpoints }: Notice) => {
      for (const { name, position, failed } of checkpoints) {
        if (failed || BigInt(position) >= goal) reached.add(name);
      }
      if (names.every((name) => reached.has(name))) void stop.then((end) => end()).then(resolve);
    };
    const stop = bus.subscribe<Notice>('projection.checkpoint', hear);
    stop.catch(reject);
  });
};

export const readModels = [
  'relay-feeds',
  'user-list',
  'token-list',
  'channel-list',
  'option-list',
  'ledger',
  'audit-trail',
  'usage-log',
  'redemption-list',
  'topup-list',
  'dead-letters',
  'task-list',
  'channel-costs',
  'refusals',
] as const;

export const readSideSite = 'read-side';
export const testVault = vaultOf(readSideSite);
/** A quarter of an hour after the examples' events. */
export const testNow = new Date('2026-03-01T08:15:00.000Z');

export type ReadSide = Readonly<{
  eventStore: MemoryEventStore;
  bus: Bus;
  database: TestDatabase;
  projections: Projections;
  append: ReturnType<typeof appendTo>;
  /** Waits until all read models show the whole log. */
  settle: () => Promise<void>;
  rows: <R>(text: string) => Promise<R[]>;
  stop: () => Promise<void>;
}>;

/** The whole read side over a log in memory and a real PostgreSQL. */
export const startReadSide = async (
  postgres: TestPostgres,
  given: Readonly<{ eventStore?: MemoryEventStore; now?: () => Date }> = {},
): Promise<ReadSide> => {
  const eventStore = given.eventStore ?? createMemoryEventStore();
  const database = await postgres.database();
  const bus = createMemoryBus({ logger: silentLogger });
  const projections = createProjections({
    ...nodeSystem,
    eventStore,
    bus,
    db: database.db,
    vault: testVault,
    ...testReadSessions(bus, given.now ?? (() => testNow)),
    clock: given.now ?? (() => testNow),
    logger: silentLogger,
    metrics: createMetrics({ process: 'test' }),
    settings: { version: '1.2.3' },
  });
  await projections.start();
  return {
    eventStore,
    bus,
    database,
    projections,
    append: appendTo(eventStore),
    settle: () => projected(bus, eventStore, readModels),
    rows: async (text) => (await database.db.executeQuery(CompiledQuery.raw(text))).rows as never,
    stop: async () => {
      await projections.stop();
      await bus.close();
      await database.close();
    },
  };
};
