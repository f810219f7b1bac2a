import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../domain/account/messages.ts';
import { createMetrics } from '../../infra/metrics/create-metrics.ts';
import { nodeSystem } from '../../infra/system/node-system.ts';
import {
  directory,
  JournalHarness,
  recordsOf,
  started,
  used,
} from '../../tests/support/relay/journal-harness.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { openJournal, type ShippableJournal } from './journal.ts';

const open = (root: string, relayId: string): ShippableJournal =>
  openJournal({
    ...nodeSystem,
    directory: root,
    relayId,
    clock: () => new Date(0),
    logger: silentLogger,
    metrics: createMetrics({ process: 'test' }),
  });
const end = (journal: ShippableJournal, nth: number): Promise<void> =>
  new Promise((resolve) => journal.ended(used(nth), resolve));

const inFolder = async (run: (root: string) => Promise<void>): Promise<void> => {
  const root = mkdtempSync(join(tmpdir(), 'journal-'));
  try {
    await run(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

const numbersOf = (records: readonly UsageRecord[], userId: number) =>
  records.flatMap((record) =>
    record.userId === userId && 'usageNumber' in record ? [record.usageNumber] : [],
  );

test('a record is in the file when its request is confirmed', async () => {
  const site = new JournalHarness();
  const journal = site.open('relay-a');
  journal.started(started(1));
  expect(site.filed('relay-a')).toBe('');
  await end(journal, 1);
  const texts = site.filed('relay-a');
  const { producerId: _p, ...rest } = used(1);
  const numbered = { ...rest, usageNumber: { producerId: 1, number: 1 } };
  const { kind, ...members } = numbered;
  expect(texts).toContain('"sequence":1,"kind":"started"');
  const from = texts.indexOf('{"relayId":"relay-a","sequence":2');
  const record = JSON.parse(texts.slice(from, texts.lastIndexOf('}') + 1)) as unknown;
  expect(record).toEqual({ relayId: 'relay-a', sequence: 2, kind, ...members });
});

test('files and directories of a journal are for their owner alone, whatever the umask', () =>
  inFolder(async (root) => {
    const before = process.umask(0);
    try {
      const journal = open(root, 'relay-open');
      await end(journal, 1);
      await journal.close();
    } finally {
      process.umask(before);
    }
    const modeOf = (...parts: string[]) => statSync(join(root, ...parts)).mode & 0o777;
    const names = readdirSync(join(root, 'relay-open'));
    expect(modeOf('relay-open')).toBe(0o700);
    expect(names).toEqual(['00000000.settled', '00000001.segment', 'owner.json']);
    for (const name of names) expect(modeOf('relay-open', name)).toBe(0o600);
  }));

test('the journal of a running relay is left alone', () =>
  inFolder(async (root) => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    try {
      const alive = open(root, 'relay-alive');
      await end(alive, 1);
      expect(open(root, 'relay-b').recovered.map(({ relayId }) => relayId)).toEqual([]);
      const owner = join(root, 'relay-alive', 'owner.json');
      writeFileSync(owner, JSON.stringify({ pid: other.pid, startedAt: 'another start' }));
      expect(open(root, 'relay-c').recovered.map(({ relayId }) => relayId)).toEqual([
        'relay-alive',
      ]);
    } finally {
      other.kill();
    }
  }));

test('outcomes and idle leases are numbered account by account, in the order of the journal', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start('relay-a');
  const done = (): void => undefined;
  journal.ended(used(1, 7, 4), done);
  journal.ended(used(2, 8, 9), done);
  journal.leaseIdle({ userId: 7, leaseId: 'l', unspent: 5, producerId: 4, closes: false });
  const { usage: _u, quote: _q, leaseId: _l, producerId: _p, ...failed } = used(3, 7, 4);
  const outcome = { statusCode: 502, errorType: 'e', errorCode: 'c', message: 'm' };
  const { usageSource: _s, usageNote: _n, end: _e, ...rest } = failed;
  journal.ended({ ...rest, kind: 'failed', ...outcome }, done);
  journal.ended(used(4, 7, 4), done);
  journal.ended(used(5, 7, null), done);
  const unsettled = () => [7, 8, 9].map((userId) => journal.unsettledNumber(userId));
  expect(unsettled()).toEqual([3, 1, 0]);
  await site.timers.advance(100);
  expect(unsettled()).toEqual([0, 0, 0]);
  const { records } = site.keeper;
  expect(numbersOf(records, 7)).toEqual([
    { producerId: 4, number: 1 },
    { producerId: 4, number: 2 },
    { producerId: 4, number: 3 },
  ]);
  expect(numbersOf(records, 8)).toEqual([{ producerId: 9, number: 1 }]);
});

test('under another producer the numbers begin again, and what began before keeps its numbers', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start('relay-a');
  const done = (): void => undefined;
  journal.started(started(1, 7, 4));
  journal.ended(used(2, 7, 4), done);
  journal.ended(used(3, 7, 5), done);
  journal.ended(used(1, 7, 4), done);
  journal.ended(used(4, 7, 5), done);
  expect(journal.unsettledNumber(7)).toBe(2);
  await site.timers.advance(100);
  expect(numbersOf(site.keeper.records, 7)).toEqual([
    { producerId: 4, number: 1 },
    { producerId: 5, number: 1 },
    { producerId: 4, number: 2 },
    { producerId: 5, number: 2 },
  ]);
});

test('at its end an instance announces its last number, but not for accounts with a running request', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start('relay-a');
  journal.ended(used(1, 7, 4), () => undefined);
  journal.started(started(2, 8, 5));
  journal.started(started(3, 9, 6));
  journal.ended(used(3, 9, 6), () => undefined);
  journal.ended(used(4, 10, null), () => undefined);
  journal.endProducers();
  await site.timers.advance(100);
  const ended = site.keeper.records.filter(({ kind }) => kind === 'producer-ended');
  expect(ended).toEqual([
    { relayId: 'relay-a', sequence: 6, kind: 'producer-ended', userId: 7, producerId: 4, last: 1 },
    { relayId: 'relay-a', sequence: 7, kind: 'producer-ended', userId: 9, producerId: 6, last: 1 },
  ]);
});

test('records leave in order, and their files go when the keeper has settled them', async () => {
  const site = new JournalHarness();
  const { journal, shipper } = await site.start('relay-a', { segmentBytes: 4_000 });
  for (let i = 1; i <= 40; i += 1) {
    journal.started(started(i));
    journal.ended(used(i), () => undefined);
    await site.timers.advance(5);
  }
  await site.timers.advance(500);
  const sequences = site.keeper.records.map(({ sequence }) => sequence);
  expect(sequences).toEqual(Array.from({ length: 40 }, (_, i) => 2 * i + 2));
  expect(site.files.segments(`${directory}/relay-a`).length).toBeLessThanOrEqual(2);
  const stopped = shipper.stop();
  await site.timers.advance(100);
  await stopped;
  await journal.close();
  expect([...site.files.contents.keys()]).toEqual([]);
});

test('in quiet times no record stays that was settled, and one that runs does', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start('relay-a', { quietMs: 1_000 });
  journal.started(started(1));
  journal.ended(used(1), () => undefined);
  await site.timers.advance(500);
  expect(site.filed('relay-a')).toContain('"req-1"');
  await site.timers.advance(2_500);
  expect(site.filed('relay-a')).toBe('');
  journal.started(started(2));
  journal.started(started(3));
  journal.ended(used(3), () => undefined);
  await site.timers.advance(5_000);
  expect(site.filed('relay-a')).toContain('"req-2"');
  journal.ended(used(2), () => undefined);
  await site.timers.advance(5_000);
  expect(site.filed('relay-a')).toBe('');
});

test('a request that is still running is announced after a while, one that ended is not', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start('relay-a', { holdStartsMs: 20 });
  journal.started(started(1, 7, 4));
  journal.started(started(2, 7, 4));
  journal.ended(used(2, 7, 4), () => undefined);
  await site.timers.advance(200);
  const { producerId, ...rest } = started(1, 7, 4);
  expect(site.keeper.records.filter(({ kind }) => kind === 'started')).toEqual([
    { ...rest, producerId, kind: 'started', relayId: 'relay-a', sequence: 1 },
  ]);
});

describe('a tick', () => {
  const tick = { quietMs: 1_000, busyMs: 250 };
  /** Requests of each batch, in their order. */
  const batches = ({ keeper }: JournalHarness): string[][] =>
    keeper.received.map((received) =>
      recordsOf([received]).flatMap((record) =>
        record.kind === 'used' ? [record.call.requestId] : [],
      ),
    );

  test('after a quiet moment usage leaves at once, and what follows leaves together', async () => {
    const site = new JournalHarness();
    const { journal } = await site.start('relay-a', { tick });
    journal.ended(used(1), () => undefined);
    await site.timers.advance(30);
    expect(batches(site)).toEqual([['req-1']]);
    for (let nth = 2; nth < 6; nth += 1) {
      journal.ended(used(nth), () => undefined);
      await site.timers.advance(40);
    }
    expect(batches(site)).toHaveLength(1);
    await site.timers.advance(tick.quietMs);
    expect(batches(site).slice(1)).toEqual([['req-2', 'req-3', 'req-4', 'req-5']]);
  });

  test('a hundred records leave a quarter of a second after those before them', async () => {
    const site = new JournalHarness();
    const { journal } = await site.start('relay-a', { tick });
    journal.ended(used(1), () => undefined);
    await site.timers.advance(30);
    for (let nth = 2; nth < 101; nth += 1) journal.ended(used(nth), () => undefined);
    await site.timers.advance(300);
    expect(batches(site)).toHaveLength(1);
    journal.ended(used(101), () => undefined);
    await site.timers.advance(30);
    expect(batches(site).slice(1).flat()).toHaveLength(100);
  });

  test('it continues while the usage of the one before is shipped and settled', async () => {
    const site = new JournalHarness();
    site.keeper.publishMs = 30;
    site.keeper.settles = () => false;
    const { journal } = await site.start('relay-a', { tick });
    journal.ended(used(1), () => undefined);
    await site.timers.advance(30);
    journal.ended(used(2), () => undefined);
    await site.timers.advance(60);
    const [first] = site.keeper.received;
    site.keeper.settle('relay-a', first?.partition ?? -1, [first?.batch ?? -1]);
    journal.ended(used(3), () => undefined);
    await site.timers.advance(60);
    expect(batches(site)).toEqual([['req-1']]);
    await site.timers.advance(tick.quietMs);
    expect(batches(site).slice(1)).toEqual([['req-2', 'req-3']]);
  });

  test('quota on its way back ends it, and so do a recall and many records', async () => {
    const site = new JournalHarness();
    const { journal } = await site.start('relay-a', { tick });
    journal.ended(used(1), () => undefined);
    await site.timers.advance(30);
    journal.ended(used(2), () => undefined);
    journal.leaseIdle({ userId: 7, leaseId: 'l', unspent: 5, producerId: 1, closes: true });
    await site.timers.advance(30);
    expect(batches(site)).toHaveLength(2);
    journal.ended(used(3), () => undefined);
    site.keeper.bus.publish('lease.recall', { userId: 7 });
    await site.timers.advance(30);
    expect(batches(site)).toHaveLength(3);
    for (let nth = 4; nth < 2_100; nth += 1) journal.ended(used(nth), () => undefined);
    await site.timers.advance(30);
    expect(batches(site).flat()).toContain('req-2099');
  });
});

test('each text on the bus begins with its batch, and batch numbers rise', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start('relay-a');
  for (let i = 1; i <= 600; i += 1) journal.ended(used(i, i % 3), () => undefined);
  await site.timers.advance(200);
  const { received } = site.keeper;
  expect(recordsOf(received)).toHaveLength(600);
  for (const partition of [0, 1, 2]) {
    const own = received.filter((batch) => batch.partition === partition);
    const numbers = own.map(({ batch }) => batch);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    const sequences = recordsOf(own).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  }
  expect(new Set(received.map(({ batch }) => batch)).size).toBe(received.length);
});
