/*
 * `npm run bench:snapshot [events]`: an account of a million events, settled by a keeper through the
 * embedded node, opens from its snapshot and the tail after it. Bar: 50 ms. Prints a table and
 * writes `bench-results/snapshot.json`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Keeper } from '../../command-api/keeper/create-keeper.ts';
import { loadAccount } from '../../command-api/keeper/load-account.ts';
import { accountPartitions, type UsageRecord } from '../../domain/account/messages.ts';
import type { AccountSnapshotTaken } from '../../domain/account/snapshot.ts';
import { accountSnapshotStreamId } from '../../domain/account/stream.ts';
import { cpuOfTree, spent } from './cpu.ts';
import { openAccount, startLedger, usageRecord } from './ledger-engines.ts';
import { quantile } from './load.ts';

const events = Number(process.argv[2] ?? 1_000_000);
const userId = 1;
const batchSize = 256;
/** Batches that wait in the queue at once. */
const inFlight = 64;
const opens = 100;
/** The keeper writes a snapshot each 250 events: the tail is at its longest just before. */
const longTail = { least: 225, step: 20 };

const ledger = await startLedger();
const { eventStore, bus } = ledger.shared;
const queue = bus.queue<UsageRecord>('usage');
let sequence = 0;

const charge = (count: number): Promise<void> => {
  const first = sequence + 1;
  sequence += count;
  const records = Array.from({ length: count }, (_, at) => usageRecord(userId, first + at));
  return queue.publish(userId % accountPartitions, records);
};

const settled = async (keeper: Keeper, work: () => Promise<void>): Promise<void> => {
  await work();
  // Stopping waits for what was taken from the queue.
  await keeper.stop();
};

const tailLength = async (eventCount: number): Promise<number> => {
  const newest = { maxCount: 1, backwards: true };
  const streamId = accountSnapshotStreamId(userId);
  for await (const { event } of eventStore.readStream<AccountSnapshotTaken>(streamId, newest)) {
    return eventCount - event.data.eventCount;
  }
  return eventCount;
};

/** Milliseconds; `cpu` of one opening, all processes together. */
type Row = Readonly<Record<'events' | 'tail' | 'p50' | 'p99' | 'max' | 'cpu', number>>;

const open = async (): Promise<Row> => {
  const took: number[] = [];
  let eventCount = 0;
  let before = cpuOfTree(process.pid);
  for (let n = -5; n < opens; n += 1) {
    if (n === 0) before = cpuOfTree(process.pid);
    const begun = performance.now();
    const { state } = await loadAccount(eventStore, userId);
    if (n >= 0) took.push(performance.now() - begun);
    eventCount = state.eventCount;
  }
  return {
    events: eventCount,
    tail: await tailLength(eventCount),
    p50: quantile(took, 0.5),
    p99: quantile(took, 0.99),
    max: Math.max(...took),
    cpu: spent(before, cpuOfTree(process.pid)) / opens / 1_000,
  };
};

try {
  const keeper = ledger.createKeeper();
  await keeper.start();
  await openAccount(keeper, userId);
  const begun = performance.now();
  await settled(keeper, async () => {
    while (sequence < events) {
      const batches = Math.min(inFlight, Math.ceil((events - sequence) / batchSize));
      await Promise.all(Array.from({ length: batches }, () => charge(batchSize)));
    }
  });
  const seconds = (performance.now() - begun) / 1_000;
  console.log(`${sequence} charges in ${Math.round(seconds)} s`);
  const rows = [await open()];
  const filling = ledger.createKeeper();
  await filling.start();
  await settled(filling, async () => {
    let tail = rows[0]?.tail ?? 0;
    while (tail < longTail.least) {
      await charge(longTail.step);
      await sleep(longTail.step);
      const { state } = await loadAccount(eventStore, userId);
      tail = await tailLength(state.eventCount);
    }
  });
  rows.push(await open());
  console.table(
    rows.map(({ events: count, tail, p50, p99, max, cpu }) => ({
      events: count,
      'events after the snapshot': tail,
      'p50 ms': p50.toFixed(1),
      'p99 ms': p99.toFixed(1),
      'max ms': max.toFixed(1),
      'CPU ms': cpu.toFixed(1),
    })),
  );
  mkdirSync('bench-results', { recursive: true });
  writeFileSync(
    'bench-results/snapshot.json',
    JSON.stringify({ at: new Date().toISOString(), node: process.version, rows }, null, 2),
  );
} finally {
  await ledger.stop();
}
process.exit(0);
