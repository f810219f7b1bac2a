import { expect, test } from 'vitest';
import type { UsageRecord } from '../../domain/account/messages.ts';
import {
  directory,
  JournalHarness,
  started,
  used,
} from '../../tests/support/relay/journal-harness.ts';
import type { ShippableJournal } from './journal.ts';

const done = (): void => undefined;
const facts = (records: readonly UsageRecord[]) =>
  records.map(({ kind, relayId, sequence }) => [kind, relayId, sequence]);
const requestsOf = (records: readonly UsageRecord[]): string[] =>
  records.flatMap((record) => (record.kind === 'used' ? [record.call.requestId] : []));

/** A relay that wrote records, shipped none of them, and is gone. */
const dead = async (
  site: JournalHarness,
  write: (journal: ShippableJournal) => void,
  more: object = {},
): Promise<void> => {
  write(site.open('relay-dead', more));
  await site.timers.advance(100);
  site.kill();
};
const recover = async (site: JournalHarness): Promise<readonly UsageRecord[]> => {
  await site.start('relay-b');
  await site.timers.advance(3_000);
  return site.keeper.records;
};
const charge = (count: number) => (journal: ShippableJournal) => {
  for (let nth = 1; nth <= count; nth += 1) journal.ended(used(nth), done);
};

test('a killed relay loses no outcome, reports requests without an end, and ends its producers', async () => {
  const site = new JournalHarness();
  await dead(site, (journal) => {
    journal.started(started(1, 7, 4));
    journal.started(started(2, 7, 4));
    journal.ended(used(1, 7, 4), done);
    journal.started(started(3, 8, 5));
    journal.ended(used(4, 7, 6), done);
  });
  const all = await recover(site);
  const records = [7, 8].flatMap((id) => all.filter(({ userId }) => userId === id));
  expect(facts(records)).toEqual([
    ['used', 'relay-dead', 3],
    ['used', 'relay-dead', 5],
    ['lost', 'relay-dead', 6],
    ['producer-ended', 'relay-dead', 8],
    ['producer-ended', 'relay-dead', 10],
    ['lost', 'relay-dead', 7],
    ['producer-ended', 'relay-dead', 9],
  ]);
  expect(records[2]).toMatchObject({ requestId: 'req-2', reserved: 50, producerId: 4 });
  expect(records.filter(({ kind }) => kind === 'producer-ended')).toMatchObject([
    { userId: 7, producerId: 4, last: 1 },
    { userId: 7, producerId: 6, last: 1 },
    { userId: 8, producerId: 5, last: 0 },
  ]);
  expect(site.files.segments(`${directory}/relay-dead`)).toEqual([]);
});

test('a loss of power after the restart takes nothing that the killed relay wrote', async () => {
  const site = new JournalHarness();
  site.open('relay-dead').ended(used(1), done);
  await site.timers.advance(0);
  site.kill();
  site.open('relay-b');
  site.files.losePower();
  site.kill();
  expect(requestsOf(await recover(site))).toEqual(['req-1']);
});

test('the answer reaches the instance that ships, under its own name', async () => {
  const site = new JournalHarness();
  await dead(site, charge(3));
  site.keeper.settles = () => false;
  await recover(site);
  const batches = site.keeper.received.map(({ batch }) => batch);
  site.keeper.settle('relay-dead', 7, batches);
  await site.timers.advance(100);
  expect(site.files.segments(`${directory}/relay-dead`)).not.toEqual([]);
  site.keeper.settle('relay-b', 7, batches);
  await site.timers.advance(100);
  expect(site.files.segments(`${directory}/relay-dead`)).toEqual([]);
});

test('what the bus lost of a recovered journal is sent again', async () => {
  const site = new JournalHarness();
  await dead(site, charge(30), { segmentBytes: 4_000 });
  site.keeper.settles = () => false;
  const first = (await recover(site)).map(({ sequence }) => sequence);
  site.keeper.received.length = 0;
  site.keeper.settles = () => true;
  for (let times = 0; times < 8; times += 1) {
    site.keeper.renew([7]);
    await site.timers.advance(5_000);
  }
  expect(site.keeper.records.map(({ sequence }) => sequence)).toEqual(first);
  expect(first).toHaveLength(31);
  expect(site.files.segments(`${directory}/relay-dead`)).toEqual([]);
});

test('what a killed relay had settled is not shipped again, nor what is between', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start('relay-dead');
  for (let nth = 1; nth <= 5; nth += 1) {
    // The third is not settled, and the mark stays before it.
    site.keeper.settles = () => nth !== 3;
    journal.ended(used(nth), done);
    await site.timers.advance(50);
  }
  await site.timers.advance(500);
  site.kill();
  site.keeper.received.length = 0;
  site.keeper.settles = () => true;
  const records = await recover(site);
  expect(requestsOf(records)).toEqual(['req-3', 'req-4', 'req-5']);
});

test('an instance that stopped in order leaves nothing to recover', async () => {
  const site = new JournalHarness();
  const { journal, shipper } = await site.start('relay-dead');
  charge(5)(journal);
  journal.endProducers();
  const stopped = shipper.stop().then(() => journal.close());
  await site.timers.advance(5_000);
  await stopped;
  expect([...site.files.contents.keys()]).toEqual([]);
});

test('a flipped bit costs its record alone, is reported with its place and without its content', async () => {
  const site = new JournalHarness();
  await dead(site, charge(6));
  const [path = ''] = site.files.segments(`${directory}/relay-dead`);
  const bytes = site.files.contents.get(path) ?? Buffer.alloc(0);
  const at = bytes.indexOf('"promptTokens":100', bytes.indexOf('"req-3"'));
  bytes.write('"promptTokens":900', at);
  const records = await recover(site);
  expect(requestsOf(records)).toEqual(['req-1', 'req-2', 'req-4', 'req-5', 'req-6']);
  expect(
    records.every((record) => record.kind !== 'used' || record.usage.promptTokens === 100),
  ).toBe(true);
  expect(records.at(-1)).toMatchObject({ kind: 'producer-ended', last: 6, damaged: true });
  const reports = site.logged.filter((line) => 'path' in line);
  expect(reports).toHaveLength(1);
  expect(reports[0]).toMatchObject({ path, kind: 'damaged', at: expect.any(Number) });
  expect(JSON.stringify(reports)).not.toContain('promptTokens');
  const metric = JSON.stringify(await site.metrics.values());
  expect(metric).toContain('tollgate_journal_damaged_total');
});

/** A record each turn of the event loop, so that they go to several files. */
const deadWithFiles = async (site: JournalHarness): Promise<void> => {
  const journal = site.open('relay-dead', { segmentBytes: 4_096 });
  for (let nth = 1; nth <= 40; nth += 1) {
    journal.ended(used(nth), done);
    await site.timers.advance(20);
  }
  site.kill();
};

test.each([
  ['the last', -1],
  ['another', 1],
  ['the first', 0],
])('that %s file of a journal is missing is reported, also by its producers', async (_, nth) => {
  const site = new JournalHarness();
  await deadWithFiles(site);
  const folder = `${directory}/relay-dead`;
  const written = site.files
    .segments(folder)
    .filter((path) => site.files.contents.get(path)?.some((byte) => byte !== 0));
  expect(written.length).toBeGreaterThan(3);
  const path = written.at(nth) ?? '';
  site.files.removeFile(path);
  const ended = (await recover(site)).filter(({ kind }) => kind === 'producer-ended');
  expect(ended).toMatchObject([{ damaged: true }]);
  expect(site.logged.filter((line) => 'path' in line)).toMatchObject([{ path, kind: 'missing' }]);
});

test('a file that was removed because all of it was settled is not missing, and is not reported', async () => {
  const site = new JournalHarness();
  const { journal } = await site.start('relay-dead', { segmentBytes: 4_096 });
  for (let nth = 1; nth <= 40; nth += 1) {
    site.keeper.settles = () => nth <= 30;
    journal.ended(used(nth), done);
    await site.timers.advance(20);
  }
  site.kill();
  const folder = `${directory}/relay-dead`;
  const settled = [...site.files.contents].filter(([path]) => path.endsWith('.settled'));
  expect(settled).toMatchObject([
    [expect.stringMatching(/relay-dead\/0{6}\d\d\.settled$/), { length: 0 }],
  ]);
  expect(settled[0]?.[0]).not.toBe(`${folder}/00000000.settled`);
  site.keeper.settles = () => true;
  const records = await recover(site);
  expect(records.at(-1)).toMatchObject({ kind: 'producer-ended', last: 40 });
  expect(records.at(-1)).not.toHaveProperty('damaged');
  expect(site.logged.filter((line) => 'path' in line)).toEqual([]);
});

test('a journal of several files that are all there is not damaged', async () => {
  const site = new JournalHarness();
  await deadWithFiles(site);
  const records = await recover(site);
  expect(requestsOf(records)).toHaveLength(40);
  expect(records.at(-1)).not.toHaveProperty('damaged');
  expect(site.logged.filter((line) => 'path' in line)).toEqual([]);
});

test('a file whose end is torn gives all before it', async () => {
  const site = new JournalHarness();
  await dead(site, charge(6));
  const [path = ''] = site.files.segments(`${directory}/relay-dead`);
  const bytes = site.files.contents.get(path) ?? Buffer.alloc(0);
  bytes.fill(0, bytes.indexOf('"req-6"'));
  expect(requestsOf(await recover(site))).toEqual(['req-1', 'req-2', 'req-3', 'req-4', 'req-5']);
  expect(site.logged.filter((line) => 'path' in line)).toMatchObject([{ kind: 'torn' }]);
});
