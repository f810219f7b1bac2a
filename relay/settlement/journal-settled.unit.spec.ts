import { expect, test } from 'vitest';
import type { UsageRecord } from '../../domain/account/messages.ts';
import {
  directory,
  JournalHarness,
  recordsOf,
  started,
  used,
} from '../../tests/support/relay/journal-harness.ts';
import type { ShippableJournal } from './journal.ts';

const relayId = 'relay-a';
const resend = { graceMs: 1_000, resendAfterMs: 30_000, maxResendMs: 600_000 };
const done = (): void => undefined;
const never = (): boolean => false;

/** Charges of one account, each in a separate batch. */
const charge = async (site: JournalHarness, journal: ShippableJournal, requests: number[]) => {
  for (const nth of requests) {
    journal.ended(used(nth), done);
    await site.timers.advance(50);
  }
};
const requestsOf = (records: readonly UsageRecord[]): string[] =>
  records.flatMap((record) => (record.kind === 'used' ? [record.call.requestId] : []));
const linesOf = (site: JournalHarness): string[] =>
  site.keeper.received.flatMap(({ lines }) => lines);

/** Sends a keeper's heartbeat for the partition, as often as it renews leases. */
const passWithKeeper = async (site: JournalHarness, ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += 5_000) {
    site.keeper.renew([7]);
    await site.timers.advance(5_000);
  }
};

test('what the bus lost after it had taken it is sent again, the same bytes in the same order', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId, { resend, segmentBytes: 4_000 });
  site.keeper.settles = never;
  await charge(site, journal, [1, 2, 3, 4, 5, 6]);
  const first = linesOf(site);
  expect(first).toHaveLength(6);
  // Its store was rolled back: of what it acknowledged nothing is left.
  site.keeper.received.length = 0;
  site.keeper.settles = () => true;
  await passWithKeeper(site, 20_000);
  expect(site.keeper.received).toEqual([]);
  await passWithKeeper(site, 20_000);
  expect(linesOf(site)).toEqual(first);
  await charge(site, journal, [7]);
  expect(requestsOf(site.keeper.records)).toEqual(
    ['1', '2', '3', '4', '5', '6', '7'].map((n) => `req-${n}`),
  );
});

test('what a keeper that is away has not answered waits for it', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId, { resend });
  site.keeper.settles = never;
  await charge(site, journal, [1]);
  await site.timers.advance(3_600_000);
  expect(site.keeper.received).toHaveLength(1);
  await passWithKeeper(site, 10_000);
  expect(site.keeper.received).toHaveLength(2);
});

test('without any answer the pauses grow to ten minutes, and an answer ends that', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId, { resend });
  site.keeper.settles = never;
  await charge(site, journal, [1]);
  const at: number[] = [];
  for (let minute = 0; minute < 60; minute += 1) {
    const before = site.keeper.received.length;
    await passWithKeeper(site, 60_000);
    if (site.keeper.received.length > before) at.push(minute);
  }
  expect(at.length).toBeLessThan(11);
  expect(at.length).toBeGreaterThan(7);
  const pauses = at.map((minute, index) => minute - (at[index - 1] ?? 0));
  expect(Math.max(...pauses)).toBe(10);
  site.keeper.settle(relayId, 7, [site.keeper.received.at(-1)?.batch ?? 0]);
  await charge(site, journal, [2]);
  const before = site.keeper.received.length;
  await passWithKeeper(site, 40_000);
  expect(site.keeper.received.length).toBe(before + 1);
});

test('a batch that a later one has overtaken is sent again soon, and all unsettled after it', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId, { resend });
  site.keeper.settles = never;
  await charge(site, journal, [1, 2, 3, 4]);
  const [first, second, third, fourth] = site.keeper.received;
  const batches = [first, second, third, fourth].map((received) => received?.batch ?? 0);
  site.keeper.settle(relayId, 7, [batches[0] ?? 0, batches[2] ?? 0]);
  await site.timers.advance(400);
  expect(site.keeper.received).toHaveLength(4);
  await site.timers.advance(1_200);
  const again = site.keeper.received.slice(4);
  expect(again.map(({ lines }) => lines)).toEqual([second?.lines, fourth?.lines]);
  expect(Math.min(...again.map(({ batch }) => batch))).toBeGreaterThan(Math.max(...batches));
});

test('a batch that the keeper waits with is sent again soon, the oldest marked as such', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId, { resend });
  site.keeper.settles = never;
  await charge(site, journal, [1, 2]);
  const [first, second] = site.keeper.received;
  site.keeper.wait('relay-b', 7, [first?.batch ?? 0]);
  await site.timers.advance(1_600);
  expect(site.keeper.received).toHaveLength(2);
  site.keeper.wait(relayId, 7, [second?.batch ?? 0]);
  await site.timers.advance(400);
  expect(site.keeper.received).toHaveLength(2);
  await site.timers.advance(1_200);
  const again = site.keeper.received.slice(2);
  expect(again.map(({ lines }) => lines)).toEqual([first?.lines, second?.lines]);
  expect(again.map(({ isOldest }) => isOldest)).toEqual([true, false]);
});

test('a batch that is never settled is sent again less and less often', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId, { resend, segmentBytes: 20_000 });
  const isStuck = (lines: readonly string[]): boolean =>
    lines.some((line) => line.includes('"userId":7,'));
  site.keeper.settles = ({ lines }) => !isStuck(lines);
  await charge(site, journal, [1]);
  // Another account of the partition is settled all the while.
  for (let nth = 2; nth < 600; nth += 1) {
    journal.ended(used(nth, 7 + 64), done);
    await site.timers.advance(1_000);
  }
  const sendings = site.keeper.received.filter(({ lines }) => isStuck(lines));
  expect(sendings.length).toBeGreaterThan(5);
  expect(sendings.length).toBeLessThan(12);
  expect(site.keeper.received.length).toBeLessThan(620);
});

test('where a number is missing before each record, all are settled in a time that grows with their count', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId, { resend, segmentBytes: 20_000 });
  // What was before it is lost, so that the keeper takes only what nothing older can precede.
  site.keeper.settles = ({ batch, isOldest }) => {
    const answer = isOldest ? 'settle' : 'wait';
    site.timers.setTimeout(() => site.keeper[answer](relayId, 7, [batch]), 100);
    return false;
  };
  const count = 20;
  await charge(
    site,
    journal,
    Array.from({ length: count }, (_, index) => index + 1),
  );
  await site.timers.advance(count * 4_000);
  const settled = site.keeper.received.filter(({ isOldest }) => isOldest);
  expect(requestsOf(recordsOf(settled))).toEqual(
    Array.from({ length: count }, (_, index) => `req-${index + 1}`),
  );
});

test('repeated, late or foreign answers change nothing', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId, { resend, segmentBytes: 4_000 });
  site.keeper.settles = never;
  await charge(site, journal, [1, 2, 3, 4, 5, 6, 7, 8]);
  const batches = site.keeper.received.map(({ batch }) => batch);
  const files = site.files.segments(`${directory}/${relayId}`).length;
  site.keeper.settle('relay-b', 7, batches);
  site.keeper.settle(relayId, 8, batches);
  site.keeper.settle(relayId, 7, [99_999]);
  await site.timers.advance(100);
  expect(site.files.segments(`${directory}/${relayId}`)).toHaveLength(files);
  for (let times = 0; times < 3; times += 1) site.keeper.settle(relayId, 7, batches.toReversed());
  await site.timers.advance(5_000);
  expect(site.files.segments(`${directory}/${relayId}`).length).toBeLessThanOrEqual(2);
  expect(site.keeper.received).toHaveLength(8);
});

test('a start is not announced again once its request has ended', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId, { resend, holdStartsMs: 50 });
  site.keeper.settles = never;
  journal.started(started(1));
  journal.started(started(2));
  await site.timers.advance(300);
  journal.ended(used(1), done);
  await site.timers.advance(300);
  site.keeper.received.length = 0;
  await passWithKeeper(site, 40_000);
  const again = recordsOf(site.keeper.received).map(({ kind, sequence }) => [kind, sequence]);
  expect(again).toEqual([
    ['started', 2],
    ['used', 3],
  ]);
});

test('new records wait while older ones are sent again', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId, { resend });
  site.keeper.settles = never;
  await charge(site, journal, [1, 2, 3]);
  site.keeper.received.length = 0;
  const slowRead = site.files.readLater.bind(site.files);
  site.files.readLater = async (path) => {
    await new Promise<void>((resolve) => void site.timers.setTimeout(resolve, 700));
    return slowRead(path);
  };
  site.keeper.renew([7]);
  await site.timers.advance(28_000);
  site.keeper.renew([7]);
  await site.timers.advance(2_800);
  // The first of them is being read.
  journal.ended(used(4), done);
  await site.timers.advance(10_000);
  expect(requestsOf(site.keeper.records)).toEqual(['req-1', 'req-2', 'req-3', 'req-4']);
});

test('a bus that refuses is retried until everything has arrived, once and in order', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId);
  site.keeper.refusals = 5;
  for (let i = 1; i <= 300; i += 1) journal.ended(used(i), done);
  await site.timers.advance(20_000);
  expect(site.keeper.records.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 300 }, (_, i) => i + 1),
  );
});

test('a backlog that does not fit into memory is read again from the files, and settled all the same', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId, { segmentBytes: 40_000, maxBacklog: 50 });
  site.keeper.refusals = 1_000_000;
  const record = async (from: number, to: number): Promise<void> => {
    for (let i = from; i <= to; i += 1) journal.ended(used(i, i % 5), done);
    await site.timers.advance(100);
  };
  for (let from = 1; from <= 500; from += 20) await record(from, from + 19);
  site.keeper.refusals = 0;
  await record(501, 600);
  await site.timers.advance(10_000);
  const { records } = site.keeper;
  expect(new Set(records.map(({ sequence }) => sequence)).size).toBe(600);
  expect(records).toHaveLength(600);
  for (let userId = 0; userId < 5; userId += 1) {
    const sequences = records.filter((r) => r.userId === userId).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  }
  expect(site.files.segments(`${directory}/${relayId}`).length).toBeLessThanOrEqual(2);
});

test('a number counts as unsettled until the keeper announces its record, or nothing was recorded', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start(relayId, { resend });
  site.keeper.settles = ({ batch }) => batch === 1;
  const seen = (): number[] => [7, 8].map((userId) => journal.unsettledNumber(userId));
  expect(seen()).toEqual([0, 0]);
  journal.ended(used(1), done);
  expect(seen()).toEqual([1, 0]);
  await site.timers.advance(50);
  expect(seen()).toEqual([0, 0]);
  await charge(site, journal, [2, 3]);
  expect(seen()).toEqual([3, 0]);
  const [, second, third] = site.keeper.received;
  site.keeper.settle(relayId, 7, [third?.batch ?? 0]);
  await site.timers.advance(1);
  expect(seen()).toEqual([3, 0]);
  site.keeper.settle(relayId, 7, [second?.batch ?? 0]);
  await site.timers.advance(1);
  expect(seen()).toEqual([0, 0]);
});
