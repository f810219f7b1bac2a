import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { UsageRecord } from '../../domain/account/messages.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { createMetrics } from '../../infra/metrics/create-metrics.ts';
import type { Bus, Queue } from '../../infra/ports/bus.ts';
import { nodeSystem } from '../../infra/system/node-system.ts';
import { aStartedRecord, aUsedRecord } from '../../tests/support/account-examples.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import {
  openJournal,
  type ShippableJournal,
  type StartedEntry,
  type UsedEntry,
} from './journal.ts';
import { createShipper, type Shipper } from './shipper.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
});
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  rmSync(directory, { recursive: true, force: true });
});

const open = (relayId: string, segmentBytes?: number, quietMs?: number): ShippableJournal =>
  openJournal({
    ...nodeSystem,
    directory,
    relayId,
    clock: () => new Date(0),
    logger: silentLogger,
    ...(segmentBytes === undefined ? {} : { segmentBytes }),
    ...(quietMs === undefined ? {} : { quietMs }),
  });

const started = (nth: number, userId = 7): StartedEntry => {
  const { kind: _k, relayId: _r, sequence: _s, ...entry } = aStartedRecord({ userId });
  return { ...entry, requestId: `req-${nth}` };
};
const used = (nth: number, userId = 7): UsedEntry => {
  const { relayId: _r, sequence: _s, ...entry } = aUsedRecord({ userId });
  return { ...entry, call: { ...entry.call, requestId: `req-${nth}` } };
};
const end = (journal: ShippableJournal, nth: number, userId = 7): Promise<void> =>
  new Promise((resolve) => journal.ended(used(nth, userId), resolve));

const files = (relayId: string): string[] =>
  readdirSync(join(directory, relayId)).filter((name) => name.endsWith('.log'));
const linesOf = (relayId: string): string[] =>
  files(relayId).flatMap((name) =>
    readFileSync(join(directory, relayId, name), 'utf8')
      .split('\n')
      .filter(Boolean),
  );

/** Makes the journal look as if its process had been killed. */
const kill = (relayId: string): void =>
  writeFileSync(
    join(directory, relayId, 'owner.json'),
    JSON.stringify({ pid: 2 ** 22, startedAt: '' }),
  );

type Taken = Readonly<{ bus: Bus; records: UsageRecord[]; fail: { times: number } }>;
const openBus = async (): Promise<Taken> => {
  const bus = createMemoryBus({ logger: silentLogger });
  const records: UsageRecord[] = [];
  const fail = { times: 0 };
  const queue = bus.queue<string>('usage');
  await queue.consume(
    Array.from({ length: 64 }, (_, i) => i),
    async (lines) => {
      for (const line of lines.flatMap((text) => text.split('\n'))) records.push(JSON.parse(line));
    },
  );
  const flaky: Bus = {
    ...bus,
    queue: <T>(): Queue<T> => ({
      consume: () => Promise.reject(new Error('not here')),
      publish: (partition, items) => {
        fail.times -= 1;
        if (fail.times >= 0) return Promise.reject(new Error('away'));
        return queue.publish(partition, items.map(String));
      },
    }),
  };
  ends.push(() => bus.close());
  return { bus: flaky, records, fail };
};

const ship = async (journal: ShippableJournal, bus: Bus, more: object = {}): Promise<Shipper> => {
  const metrics = createMetrics({ process: 'test' });
  const settings = {
    ...nodeSystem,
    journal,
    bus,
    logger: silentLogger,
    metrics,
    gatherMs: 1,
    holdStartsMs: 1_000,
  };
  const shipper = createShipper({ ...settings, ...more });
  await shipper.start();
  ends.push(() => shipper.stop());
  return shipper;
};

const until = async (isDone: () => boolean): Promise<void> => {
  const giveUpAt = performance.now() + 5_000;
  while (!isDone()) {
    if (performance.now() > giveUpAt) throw new Error('it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

test('a record is in the file when its request is told so', async () => {
  const journal = open('relay-a');
  journal.started(started(1));
  await end(journal, 1);
  const records = linesOf('relay-a').map((line) => JSON.parse(line) as UsageRecord);
  expect(records.map(({ kind, sequence, relayId }) => [kind, sequence, relayId])).toEqual([
    ['started', 1, 'relay-a'],
    ['used', 2, 'relay-a'],
  ]);
  expect(records[1]).toEqual({ ...used(1), relayId: 'relay-a', sequence: 2 });
});

test('files and directories of a journal are for their owner alone, whatever the umask', async () => {
  const before = process.umask(0);
  try {
    const journal = open('relay-open');
    await end(journal, 1);
    await journal.close();
  } finally {
    process.umask(before);
  }
  const modeOf = (...parts: string[]) => statSync(join(directory, ...parts)).mode & 0o777;
  expect(modeOf('relay-open')).toBe(0o700);
  for (const name of ['owner.json', ...files('relay-open')]) {
    expect(modeOf('relay-open', name)).toBe(0o600);
  }
  expect(files('relay-open')).toHaveLength(1);
});

test('records are shipped in order and their files go away', async () => {
  const { bus, records } = await openBus();
  const journal = open('relay-a', 2_000);
  const shipper = await ship(journal, bus);
  for (let i = 1; i <= 40; i += 1) {
    journal.started(started(i));
    await end(journal, i);
  }
  await until(() => records.length === 40);
  expect(records.map(({ sequence }) => sequence)).toEqual(
    records.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
  );
  await until(() => files('relay-a').length === 1);
  await shipper.stop();
  await journal.close();
  expect(existsSync(join(directory, 'relay-a'))).toBe(false);
});

test('in quiet times no record stays that was shipped, and one that runs does', async () => {
  const { bus, records } = await openBus();
  const journal = open('relay-a', 8_000_000, 40);
  await ship(journal, bus);
  journal.started(started(1));
  await end(journal, 1);
  await until(() => records.length === 1 && files('relay-a').length === 0);
  journal.started(started(2));
  journal.started(started(3));
  await end(journal, 3);
  await until(() => records.length === 2);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(linesOf('relay-a').join('')).toContain('"req-2"');
  await end(journal, 2);
  await until(() => records.length === 3 && files('relay-a').length === 0);
});

test('a request that is still running is announced after a while, one that ended is not', async () => {
  const { bus, records } = await openBus();
  const journal = open('relay-a');
  await ship(journal, bus, { holdStartsMs: 20 });
  journal.started(started(1));
  journal.started(started(2));
  await end(journal, 2);
  await until(() => records.some(({ kind }) => kind === 'started'));
  expect(records.filter(({ kind }) => kind === 'started')).toEqual([
    { ...started(1), kind: 'started', relayId: 'relay-a', sequence: 1 },
  ]);
});

test('a bus that is away is asked again until everything has arrived, once and in order', async () => {
  const { bus, records, fail } = await openBus();
  fail.times = 3;
  const journal = open('relay-a');
  await ship(journal, bus);
  for (let i = 1; i <= 300; i += 1) await end(journal, i);
  await until(() => records.length === 300);
  expect(records.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 300 }, (_, i) => i + 1),
  );
});

test('a backlog that does not fit into memory is read again from the files', async () => {
  const { bus, records, fail } = await openBus();
  fail.times = 1_000_000;
  const journal = open('relay-a', 20_000);
  await ship(journal, bus, { maxBacklog: 50 });
  for (let i = 1; i <= 500; i += 1) await end(journal, i, i % 5);
  fail.times = 0;
  for (let i = 501; i <= 600; i += 1) await end(journal, i, i % 5);
  await until(() => records.length >= 600);
  expect(new Set(records.map(({ sequence }) => sequence)).size).toBe(600);
  expect(records).toHaveLength(600);
  for (let userId = 0; userId < 5; userId += 1) {
    const sequences = records.filter((r) => r.userId === userId).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  }
});

test('a killed relay loses no ended request and reports those without an end', async () => {
  const dead = open('relay-dead');
  dead.started(started(1));
  dead.started(started(2));
  await end(dead, 1);
  appendFileSync(
    join(directory, 'relay-dead', files('relay-dead')[0] ?? ''),
    '{"kind":"used","tor',
  );
  kill('relay-dead');

  const { bus, records } = await openBus();
  const journal = open('relay-b');
  await ship(journal, bus);
  await until(() => records.some(({ kind }) => kind === 'lease-idle'));
  expect(records.map(({ kind, relayId }) => [kind, relayId])).toEqual([
    ['used', 'relay-dead'],
    ['lost', 'relay-dead'],
    ['lease-idle', 'relay-dead'],
  ]);
  expect(records[1]).toMatchObject({ requestId: 'req-2', reserved: 50 });
  await until(() => !existsSync(join(directory, 'relay-dead')));
});

test('what a killed relay had shipped is not shipped again', async () => {
  const { bus, records } = await openBus();
  const dead = open('relay-dead');
  await ship(dead, bus);
  for (let i = 1; i <= 5; i += 1) await end(dead, i);
  await until(() => records.length === 5);
  await until(() => linesOf('relay-dead').some((line) => line.includes('[7,5]')));
  kill('relay-dead');
  const journal = open('relay-b');
  await ship(journal, bus);
  await until(() => records.some(({ kind }) => kind === 'lease-idle'));
  expect(records.filter(({ kind }) => kind === 'used')).toHaveLength(5);
});

test('the journal of a relay that lives is left alone', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  ends.push(async () => void other.kill());
  const alive = open('relay-alive');
  await end(alive, 1);
  expect(open('relay-b').recovered.map(({ relayId }) => relayId)).toEqual([]);
  const owner = join(directory, 'relay-alive', 'owner.json');
  writeFileSync(owner, JSON.stringify({ pid: other.pid, startedAt: 'another start' }));
  expect(open('relay-c').recovered.map(({ relayId }) => relayId)).toEqual(['relay-alive']);
});

test('a disk that refuses is reported, and the request is answered all the same', async () => {
  const { bus, records } = await openBus();
  const journal = open('relay-a');
  await ship(journal, bus);
  rmSync(join(directory, 'relay-a'), { recursive: true });
  await end(journal, 1);
  expect(journal.healthy()).toBe(false);
  await until(() => records.length === 1);
});
