import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../domain/account/messages.ts';
import {
  directory,
  JournalHarness,
  started,
  used,
} from '../../tests/support/relay/journal-harness.ts';

const relayId = 'relay-a';
const segmentBytes = 64 * 1024;
const done = (): void => undefined;

const requestsOf = (records: readonly UsageRecord[]): string[] =>
  records.flatMap((record) => (record.kind === 'used' ? [record.call.requestId] : []));
const distinct = (records: readonly UsageRecord[]): string[] => [...new Set(requestsOf(records))];
const requests = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `req-${i + 1}`);

/** Calls as long as the journal accepts them; their number. */
const callWhileAccepted = async (site: JournalHarness, opened: Opened, from = 1, max = 1_000) => {
  let nth = from;
  while (nth < from + max && opened.journal.accepting()) {
    opened.journal.started(started(nth));
    opened.journal.ended(used(nth), done);
    await site.timers.advance(1);
    nth += 1;
  }
  return nth - 1;
};
type Opened = Awaited<ReturnType<JournalHarness['start']>>;

test('the next file has its room before the present one is full, and is synced in groups', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId, { segmentBytes });
  for (let nth = 1; nth <= 5; nth += 1) journal.ended(used(nth), done);
  await site.timers.advance(40);
  expect(site.files.syncs).toBe(0);
  await site.timers.advance(40);
  expect(site.files.syncs).toBe(1);
  const lengths = site.files
    .segments(`${directory}/${relayId}`)
    .map((path) => site.files.read(path).length);
  expect(lengths).toEqual([segmentBytes, segmentBytes]);
});

test('with a full disk and a bus that takes nothing calls are refused before a record has no place', async () => {
  const site = new JournalHarness();
  const opened = await site.start(relayId, { segmentBytes });
  site.keeper.isHanging = true;
  site.files.isFull = true;
  await callWhileAccepted(site, opened, 1, 1);
  await site.timers.advance(2_000);
  const count = await callWhileAccepted(site, opened, 2);
  expect(count).toBeGreaterThan(20);
  expect(count).toBeLessThan(1_000);
  // Time goes by, and it stays so.
  await site.timers.advance(60_000);
  expect(opened.journal.accepting()).toBe(false);
  expect(opened.journal.healthy()).toBe(false);
  expect(opened.journal.isWritten()).toBe(true);
  site.kill();
  site.files.isFull = false;
  site.keeper.isHanging = false;
  await site.start('relay-b');
  await site.timers.advance(5_000);
  expect(distinct(site.keeper.records)).toEqual(requests(count));
});

test('the outcomes of calls in flight have their room, however late they are', async () => {
  const site = new JournalHarness();
  const opened = await site.start(relayId, { segmentBytes });
  site.keeper.isHanging = true;
  site.files.isFull = true;
  const { journal } = opened;
  let admitted = await callWhileAccepted(site, opened, 1, 1);
  await site.timers.advance(2_000);
  while (journal.accepting() && admitted < 1_000) {
    admitted += 1;
    journal.started(started(admitted));
    await site.timers.advance(500);
  }
  expect(admitted).toBeGreaterThan(8);
  expect(admitted).toBeLessThan(20);
  for (let nth = 2; nth <= admitted; nth += 1) journal.ended(used(nth), done);
  await site.timers.advance(10);
  expect(journal.isWritten()).toBe(true);
});

test('room again lets calls in again, and nothing is lost', async () => {
  const site = new JournalHarness();
  const opened = await site.start(relayId, { segmentBytes });
  site.keeper.isHanging = true;
  site.files.isFull = true;
  await callWhileAccepted(site, opened, 1, 1);
  await site.timers.advance(2_000);
  const before = await callWhileAccepted(site, opened, 2);
  await site.timers.advance(10_000);
  site.files.isFull = false;
  await site.timers.advance(1_000);
  expect(opened.journal.healthy()).toBe(true);
  const after = await callWhileAccepted(site, opened, before + 1, 30);
  expect(after).toBe(before + 30);
  site.kill();
  site.keeper.isHanging = false;
  await site.start('relay-b');
  await site.timers.advance(5_000);
  expect(distinct(site.keeper.records)).toEqual(requests(after));
});

test('while the keeper settles in time, a disk that refuses keeps no call out', async () => {
  const site = new JournalHarness();
  const opened = await site.start(relayId, { segmentBytes });
  site.files.isBroken = true;
  const count = await callWhileAccepted(site, opened, 1, 300);
  expect(count).toBe(300);
  expect(opened.journal.healthy()).toBe(false);
  await site.timers.advance(1_000);
  expect(requestsOf(site.keeper.records)).toEqual(requests(300));
});

describe('the end of an answer whose record the disk refuses', () => {
  const refused = async () => {
    const site = new JournalHarness();
    const opened = await site.start(relayId, {
      segmentBytes,
      tick: { quietMs: 10_000, busyMs: 10_000 },
    });
    await callWhileAccepted(site, opened, 1, 1);
    await site.timers.advance(100);
    site.files.isBroken = true;
    site.keeper.isHanging = true;
    let isKept = false;
    opened.journal.started(started(2));
    opened.journal.ended(used(2), () => {
      isKept = true;
    });
    return { site, isKept: () => isKept };
  };

  test('waits while the memory alone has it, for a crash would lose the charge', async () => {
    const { site, isKept } = await refused();
    await site.timers.advance(5_000);
    expect(isKept()).toBe(false);
  });

  test('ends once it is settled, and the keeper gets it without waiting for the tick', async () => {
    const { site, isKept } = await refused();
    site.keeper.isHanging = false;
    await site.timers.advance(50);
    expect(isKept()).toBe(true);
    site.kill();
    expect(distinct(site.keeper.records)).toEqual(requests(2));
  });

  test('waits while the bus alone has it: a keeper that waits for an older number takes it off there', async () => {
    const { site, isKept } = await refused();
    site.keeper.settles = () => false;
    site.keeper.isHanging = false;
    await site.timers.advance(5_000);
    const [batch] = site.keeper.received.filter(({ lines }) => lines.join().includes('req-2'));
    expect(batch).toBeDefined();
    expect(isKept()).toBe(false);
    site.keeper.settle(relayId, 7, [batch?.batch ?? 0]);
    await site.timers.advance(1);
    expect(isKept()).toBe(true);
  });

  test('ends once it is on disk after all', async () => {
    const { site, isKept } = await refused();
    await site.timers.advance(100);
    site.files.isBroken = false;
    await site.timers.advance(1_000);
    expect(isKept()).toBe(true);
    site.kill();
    site.keeper.isHanging = false;
    await site.start('relay-b');
    await site.timers.advance(5_000);
    expect(distinct(site.keeper.records)).toEqual(requests(2));
  });
});

test('with a disk that refuses and a keeper that does not settle, calls are refused after half a second', async () => {
  const site = new JournalHarness();
  const opened = await site.start(relayId, { segmentBytes });
  const { journal } = opened;
  site.files.isBroken = true;
  site.keeper.settles = () => false;
  await callWhileAccepted(site, opened, 1, 1);
  await site.timers.advance(498);
  expect(journal.accepting()).toBe(true);
  await site.timers.advance(2);
  expect(journal.accepting()).toBe(false);
  const [{ batch } = { batch: 0 }] = site.keeper.received;
  site.keeper.settle(relayId, 7, [batch]);
  await site.timers.advance(1);
  expect(journal.accepting()).toBe(true);
});

test('what only the memory and the bus had is sent again when the bus has lost it', async () => {
  const site = new JournalHarness();
  const opened = await site.start(relayId, { segmentBytes });
  site.files.isBroken = true;
  site.keeper.settles = () => false;
  await callWhileAccepted(site, opened, 1, 50);
  await site.timers.advance(100);
  site.keeper.received.length = 0;
  site.keeper.settles = () => true;
  for (let times = 0; times < 8; times += 1) {
    site.keeper.renew([7]);
    await site.timers.advance(5_000);
  }
  expect(requestsOf(site.keeper.records)).toEqual(requests(50));
});

test('when the disk takes records again, it has all that the keeper has not settled', async () => {
  const site = new JournalHarness();
  const opened = await site.start(relayId, { segmentBytes });
  site.keeper.settles = () => false;
  await callWhileAccepted(site, opened, 1, 10);
  site.files.isBroken = true;
  await callWhileAccepted(site, opened, 11, 20);
  site.files.isBroken = false;
  await site.timers.advance(1_000);
  expect(opened.journal.healthy()).toBe(true);
  site.kill();
  site.keeper.received.length = 0;
  await site.start('relay-b');
  await site.timers.advance(5_000);
  expect(requestsOf(site.keeper.records)).toEqual(requests(30));
});

test('a sync that fails counts as a disk that refuses, until one succeeds', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId, { segmentBytes });
  site.keeper.isHanging = true;
  site.files.failsToSync = true;
  journal.ended(used(1), done);
  await site.timers.advance(6_000);
  expect(journal.healthy()).toBe(false);
  expect(journal.accepting()).toBe(false);
  site.files.failsToSync = false;
  await site.timers.advance(2_000);
  expect(journal.healthy()).toBe(true);
  expect(journal.accepting()).toBe(true);
});

test('a stop on a full disk continues until the disk or the log has every record', async () => {
  const site = new JournalHarness();
  const { journal, shipper } = await site.start(relayId, { segmentBytes });
  site.keeper.refusals = 1_000_000;
  site.files.isBroken = true;
  for (let nth = 1; nth <= 20; nth += 1) journal.ended(used(nth), done);
  await site.timers.advance(100);
  const stopped = shipper.stop().then(() => journal.close());
  await site.timers.advance(8_000);
  site.files.isBroken = false;
  await site.timers.advance(10_000);
  await stopped;
  site.kill();
  site.keeper.refusals = 0;
  await site.start('relay-b');
  await site.timers.advance(5_000);
  expect(requestsOf(site.keeper.records)).toEqual(requests(20));
});

test('a stop on a full disk does not rest on what the bus alone has', async () => {
  const site = new JournalHarness();
  const { journal, shipper } = await site.start(relayId, { segmentBytes });
  site.keeper.settles = () => false;
  site.files.isBroken = true;
  journal.ended(used(1), done);
  await site.timers.advance(100);
  let hasStopped = false;
  const stopped = shipper.stop().then(() => {
    hasStopped = true;
  });
  await site.timers.advance(8_000);
  const [{ batch } = { batch: 0 }] = site.keeper.received;
  expect([batch > 0, hasStopped]).toEqual([true, false]);
  site.keeper.settle(relayId, 7, [batch]);
  await site.timers.advance(100);
  expect(hasStopped).toBe(true);
  await stopped;
});

test('a stop without either reports how much is lost', async () => {
  const site = new JournalHarness();
  const { journal, shipper } = await site.start(relayId, { segmentBytes });
  site.keeper.refusals = 1_000_000;
  site.files.isBroken = true;
  for (let nth = 1; nth <= 20; nth += 1) journal.ended(used(nth), done);
  await site.timers.advance(100);
  const stopped = shipper.stop().then(() => journal.close());
  await site.timers.advance(60_000);
  await stopped;
  const lost = site.logged.filter((line) => 'records' in line && line.records === 20);
  expect(lost).toHaveLength(1);
});
