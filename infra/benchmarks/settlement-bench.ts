/*
 * `npm run bench settlement`: charges through the embedded node, then a build of every projection from that log.
 */
import type { RequestUsed, UsageRecord } from '../../domain/account/messages.ts';
import { accountPartitions } from '../../domain/account/messages.ts';
import { createProjections } from '../../projections/create-projections.ts';
import { eventually } from '../../tests/support/product.ts';
import { createSessionUse } from '../bus/session-use.ts';
import { createDatabase } from '../postgres/create-database.ts';
import { createVault } from '../vault/create-vault.ts';
import { Keyring } from '../vault/keyring.ts';
import { newKeys } from '../vault/new-keys.ts';
import { createSessionVerifier } from '../vault/session-verifier.ts';
import { cpuOfTree, spent } from './cpu.ts';
import {
  type BenchLease,
  openAccount,
  openLease,
  startLedger,
  usageRecord,
} from './ledger-engines.ts';
import { openProfiles, profiled } from './profile/profiler.ts';
import { digits, writeResult } from './report.ts';

type Row = Readonly<{
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

/** Time and CPU of `work`, for `events` events. */
const timed = async (name: string, events: number, work: () => Promise<void>): Promise<Row> => {
  const before = cpuOfTree(process.pid);
  const begun = performance.now();
  await profiled(name, process.pid, work);
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

const measureAll = async (): Promise<Row[]> => {
  const ledger = await startLedger();
  const { postgres, shared, metrics } = ledger;
  const { eventStore, bus } = shared;
  await postgres.createDatabase('tollgate');
  const keeper = ledger.createKeeper();
  const database = createDatabase({
    url: postgres.url('tollgate'),
    applicationName: 'bench',
    synchronousCommit: false,
  });
  try {
    await keeper.start();
    const leases = new Map<number, BenchLease>();
    for (let userId = 1; userId <= accounts; userId += 1) {
      await openAccount(keeper, userId);
      leases.set(userId, await openLease(bus, userId));
    }
    const queue = bus.queue<UsageRecord>('usage');
    const batches: { userId: number; records: RequestUsed[] }[] = [];
    for (let first = 0; first < charges; first += batchSize * accounts) {
      for (let userId = 1; userId <= accounts; userId += 1) {
        const from = first / accounts;
        const count = Math.min(batchSize, charges / accounts - from);
        const lease = leases.get(userId) ?? null;
        const numbers = Array.from({ length: count }, (_, i) => from + i + 1);
        const records = numbers.map((number) => usageRecord(userId, number, lease));
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
      vault: createVault(new Keyring(newKeys(new Date().toISOString()))),
      sessionVerifier: createSessionVerifier(),
      sessionUse: createSessionUse(shared),
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
    await ledger.stop();
  }
};

openProfiles();
const rows = await measureAll();
console.table(
  Object.fromEntries(
    rows.map(({ name, events, perSecond, cpuMicros, cpuMicrosAll }) => [
      name,
      {
        events,
        'events/s': Math.round(perSecond),
        'CPU µs each': digits(cpuMicros, 1),
        'all processes': digits(cpuMicrosAll, 1),
      },
    ]),
  ),
);
writeResult('settlement', { rows });
process.exit(0);
