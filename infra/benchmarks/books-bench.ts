import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeeper } from '../../command-api/keeper/create-keeper.ts';
import type { RequestUsed, UsageRecord } from '../../domain/account/messages.ts';
import { accountPartitions } from '../../domain/account/messages.ts';
import type { Metadata } from '../../domain/shared/event.ts';
import { createProjections } from '../../projections/create-projections.ts';
import { eventually } from '../../tests/support/product.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createMemoryBus } from '../bus/memory/create-memory-bus.ts';
import { startEmbeddedPostgres } from '../embedded/postgres/start-embedded-postgres.ts';
import { createEventStore } from '../event-store/create-event-store.ts';
import { createMetrics } from '../metrics/create-metrics.ts';
import { createDatabase } from '../postgres/create-database.ts';
import { entryPath } from '../processes/entries.ts';
import { createVault } from '../vault/create-vault.ts';
import { cpuOfTree, spent } from './cpu.ts';

export type BooksRow = Readonly<{
  name: string;
  events: number;
  perSecond: number;
  /** CPU of this process for each event: client, keeper or projectors. */
  cpuMicros: number;
  /** The same with the engines: the event-store node and PostgreSQL. */
  cpuMicrosAll: number;
}>;

const accounts = 50;
const charges = 120_000;
const batchSize = 256;

const metadata: Metadata = {
  actor: { kind: 'system', id: 'bench' },
  correlationId: 'bench',
  causationId: 'bench',
  commandId: 'bench',
  occurredAt: new Date().toISOString(),
  schemaVersion: 1,
};

const usageRecord = (userId: number, sequence: number): RequestUsed => ({
  kind: 'used',
  relayId: 'bench',
  userId,
  sequence,
  leaseId: null,
  call: {
    requestId: `bench-${userId}-${sequence}`,
    relayId: 'bench',
    tokenId: userId,
    tokenName: 'bench',
    username: `user-${userId}`,
    channelId: 1,
    channelsTried: [1],
    model: 'gpt-4o-mini',
    upstreamModel: null,
    group: 'default',
    path: '/v1/chat/completions',
    isStream: sequence % 2 === 0,
    startedAt: new Date().toISOString(),
    durationMs: 1_200,
    firstByteMs: 150,
    ip: '127.0.0.1',
  },
  usage: { promptTokens: 200, completionTokens: 150, cachedTokens: 0, cacheCreationTokens: 0 },
  usageSource: 'upstream',
  usageNote: null,
  end: 'complete',
  quote: {
    kind: 'ratio',
    model: 'gpt-4o-mini',
    modelRatio: '0.075',
    completionRatio: '4',
    cacheRatio: '0.5',
    cacheCreationRatio: '1.25',
    groupRatio: '1',
  },
});

/** Time and CPU of `work`, for `events` events. */
const timed = async (
  name: string,
  events: number,
  work: () => Promise<void>,
): Promise<BooksRow> => {
  const before = cpuOfTree(process.pid);
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1_000;
  const after = cpuOfTree(process.pid);
  const own = (after.get(process.pid) ?? 0) - (before.get(process.pid) ?? 0);
  return {
    name,
    events,
    perSecond: events / seconds,
    cpuMicros: own / events,
    cpuMicrosAll: spent(before, after) / events,
  };
};

const startNode = async (databaseUrl: string) => {
  const node = fork(entryPath('infra/embedded/event-store/main'), {
    env: { ...process.env, TOLLGATE_NODE_DATABASE_URL: databaseUrl },
  });
  const port = await new Promise<number>((resolve) =>
    node.on('message', (message) => resolve((message as { port: number }).port)),
  );
  return { node, url: `esdb://127.0.0.1:${port}?tls=false` };
};

/** Settlement through the embedded node, then a build of every projection from that log. */
export const benchBooks = async (): Promise<BooksRow[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'pg'),
    logger: silentLogger,
  });
  await postgres.createDatabase('event_store');
  await postgres.createDatabase('tollgate');
  const { node, url } = await startNode(postgres.url('event_store'));
  const eventStore = createEventStore({ url, logger: silentLogger });
  const bus = createMemoryBus({ logger: silentLogger });
  const clock = () => new Date();
  const shared = { eventStore, bus, clock, logger: silentLogger };
  const metrics = createMetrics({ process: 'bench' });
  const keeper = createKeeper({ ...shared, metrics, leaseTtlMs: 30_000 });
  const database = createDatabase({
    url: postgres.url('tollgate'),
    applicationName: 'bench',
    synchronousCommit: false,
  });
  try {
    await keeper.start();
    for (let userId = 1; userId <= accounts; userId += 1) {
      await keeper.execute({
        type: 'OpenAccount',
        data: { userId },
        metadata: { ...metadata, commandId: `open-${userId}` },
      });
      await keeper.execute({
        type: 'GrantQuota',
        data: { userId, amount: 1_000_000_000, source: 'setup', reference: '' },
        metadata: { ...metadata, commandId: `grant-${userId}` },
      });
    }
    const queue = bus.queue<UsageRecord>('usage');
    const batches: { userId: number; records: RequestUsed[] }[] = [];
    for (let first = 0; first < charges; first += batchSize * accounts) {
      for (let userId = 1; userId <= accounts; userId += 1) {
        const from = first / accounts;
        const count = Math.min(batchSize, charges / accounts - from);
        const records = Array.from({ length: count }, (_, i) => usageRecord(userId, from + i + 1));
        batches.push({ userId, records });
      }
    }
    const settled = await timed('settlement: charges', charges, async () => {
      await Promise.all(
        batches.map(({ userId, records }) => queue.publish(userId % accountPartitions, records)),
      );
    });
    await keeper.stop();

    let total = 0;
    const read = await timed('read of the log', charges, async () => {
      for await (const _ of eventStore.readAll()) total += 1;
    });
    const projections = createProjections({
      ...shared,
      metrics,
      db: database.db,
      vault: createVault(randomBytes(32).toString('hex')),
      settings: { trustedProxies: [] },
    });
    const built = await timed('build of all projections', total, async () => {
      await projections.start();
      const head = await eventStore.head();
      await eventually(async () => {
        const rows = projections.status();
        const behind = rows.some(({ position }) => (position ?? 0n) < (head ?? 0n));
        // Ready: at the head, with all indexes in place.
        if (rows.length === 0 || behind || !projections.ready().ok) throw new Error('behind');
      }, 120_000);
    });
    await projections.stop();
    return [settled, { ...read, events: total }, built];
  } finally {
    await database.close();
    await bus.close();
    await eventStore.close();
    node.kill();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
