import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UsageRecord, UsageSettled } from '../../domain/account/messages.ts';
import {
  aFailedRecord,
  aStartedRecord,
  aUsedRecord,
  relayId,
  userId,
} from '../../tests/support/account-examples.ts';
import { type KeeperFixture, openKeeperFixture } from '../../tests/support/keeper-fixture.ts';
import { aTaskAccepted, taskFacts } from '../../tests/support/task-examples.ts';

let fixture: KeeperFixture;
beforeEach(async () => {
  fixture = await openKeeperFixture();
  await fixture.fund(1_000_000);
});
afterEach(() => fixture.stop());

const used = (sequence: number, amount = 10) =>
  aUsedRecord({ sequence, amount, call: { requestId: `req-${sequence}` } });
const send = (...items: readonly unknown[]) => fixture.bus.queue('usage').publish(7, items);
const charges = () => fixture.events('RequestCharged').map(({ data }) => data.call.requestId);
const deadLetters = () =>
  fixture.store.all.flatMap(({ event, streamId }) =>
    event.type === 'UsageRecordSetAside' ? [{ streamId, ...(event.data as object) }] : [],
  );

describe('a record that arrives before the number ahead of it', () => {
  const lines = (record: UsageRecord, batch: object): string =>
    [{ kind: 'batch', relayId, ...batch }, record].map((line) => JSON.stringify(line)).join('\n');
  const answers: UsageSettled[] = [];
  beforeEach(async () => {
    answers.length = 0;
    await fixture.bus.subscribe<UsageSettled>('usage.settled', (settled) => {
      answers.push(settled);
    });
    await fixture.lease(1_000);
  });

  test('waits, its relay is informed, and both are settled once that number has arrived', async () => {
    await send(lines(used(2), { batch: 20 }));
    expect(charges()).toEqual([]);
    const about = { relayId, partition: 7 };
    await expect.poll(() => answers).toEqual([{ ...about, batches: [], waiting: [20] }]);
    await send(lines(used(1), { batch: 21 }), lines(used(2), { batch: 22 }));
    expect(charges()).toEqual(['req-1', 'req-2']);
    await expect.poll(() => answers.slice(1)).toEqual([{ ...about, batches: [21, 22] }]);
  });

  test('records a task only when the task is charged', async () => {
    const outcome = { kind: 'accepted', ...aTaskAccepted().data, report: null } as const;
    const ofTask = { ...used(2), task: { facts: taskFacts(), outcome } };
    await send(lines(ofTask, { batch: 20 }));
    expect(fixture.store.all.filter(({ streamId }) => streamId.startsWith('task-'))).toEqual([]);
    await send(lines(used(1), { batch: 21 }), lines(ofTask, { batch: 22 }));
    const written = fixture.store.all.map(({ event }) => event.type);
    expect(written.slice(-4)).toEqual([
      'RequestCharged',
      'RequestCharged',
      'TaskSubmitted',
      'TaskAccepted',
    ]);
  });

  test('keeps no task of a charged record from being noted, whoever else waits', async () => {
    const outcome = { kind: 'accepted', ...aTaskAccepted().data, report: null } as const;
    const ofTask = { ...used(1), task: { facts: taskFacts(), outcome } };
    await send(lines(ofTask, { batch: 20 }), lines(used(3), { batch: 21 }));
    const written = fixture.store.all.map(({ event }) => event.type);
    expect(charges()).toEqual(['req-1']);
    expect(written.slice(-2)).toEqual(['TaskSubmitted', 'TaskAccepted']);
  });

  test('is settled where its relay holds no older one, and the numbers before count as lost', async () => {
    await send(lines(used(3), { batch: 20, isOldest: true }));
    expect(charges()).toEqual(['req-3']);
    const [skipped] = fixture.events('UsageNumberSkipped');
    expect(skipped?.data).toMatchObject({ usageNumber: { number: 2 }, reason: 'lost' });
  });
});

test('a request that failed is not abandoned as well when its journal is read without the failure', async () => {
  const failed = aFailedRecord();
  const { requestId } = failed.call;
  const lost = { ...aStartedRecord(), kind: 'lost', requestId } as const;
  await send(aStartedRecord(), failed);
  await send(lost, { ...lost, requestId: 'req-open' });
  const abandoned = fixture.events('RequestAbandoned').map(({ data }) => data.requestId);
  expect(abandoned).toEqual(['req-open']);
});

describe('what the queue delivers', () => {
  test('may be lines, many in one item, or records', async () => {
    await send([used(1), used(2)].map((record) => JSON.stringify(record)).join('\n'), used(3));
    expect(charges()).toEqual(['req-1', 'req-2', 'req-3']);
    expect(deadLetters()).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['no JSON', '{"kind":"used"'],
    ['a number', '5'],
    ['null', 'null'],
    ['of no kind', JSON.stringify({ ...used(1), kind: 'other' })],
    ['without a user', JSON.stringify({ ...used(1), userId: undefined })],
    ['without a number', JSON.stringify({ ...used(1), sequence: 1.5 })],
    ['without a relay', JSON.stringify({ ...used(1), relayId: 5 })],
    ['used without a call', JSON.stringify({ ...used(1), call: undefined })],
    ['used with a call that is null', JSON.stringify({ ...used(1), call: null })],
    ['failed without a call', JSON.stringify({ ...aFailedRecord(), call: 5 })],
    ['longer than a line can be', JSON.stringify({ ...used(1), pad: 'x'.repeat(262_144) })],
  ])('is kept for an operator where it is %s, and the rest is charged', async (_name, item) => {
    await send(item, used(2));
    expect(charges()).toEqual(['req-2']);
    expect(deadLetters()).toMatchObject([{ streamId: 'usageSetAside-7', reason: 'unreadable' }]);
  });

  test('is kept unchanged where it cannot be read', async () => {
    await send('{"kind":"used"', 5);
    expect(deadLetters()).toMatchObject([{ record: '{"kind":"used"' }, { record: '5' }]);
  });

  test('is kept without what a person wrote where it can be read', async () => {
    const task = { facts: taskFacts({ prompt: 'a gate' }), outcome: null };
    const quote = { kind: 'ratio' } as never;
    await send({ ...used(1), quote, task });
    expect(charges()).toEqual([]);
    const [letter] = deadLetters() as unknown as readonly { record: string; reason: string }[];
    expect(letter?.reason).not.toBe('unreadable');
    expect(JSON.parse(letter?.record ?? '')).toEqual({
      ...used(1),
      quote,
      task: { facts: taskFacts({ prompt: '' }), outcome: null },
    });
  });

  test('is taken up to the longest line', async () => {
    const empty = JSON.stringify({ ...used(1), pad: '' }).length;
    await send(JSON.stringify({ ...used(1), pad: 'x'.repeat(262_144 - empty) }));
    expect(charges()).toEqual(['req-1']);
    const longer = JSON.stringify({ ...used(2), pad: 'x'.repeat(262_145 - empty) });
    await send(longer);
    expect(charges()).toEqual(['req-1']);
    expect(deadLetters()).toHaveLength(1);
  });

  test('is no charge where it only began', async () => {
    await send(aStartedRecord(), { ...aStartedRecord(), kind: 'lost', relayId: 'relay-b' });
    expect(charges()).toEqual([]);
    expect(fixture.events('RequestAbandoned')).toHaveLength(1);
    expect(deadLetters()).toEqual([]);
  });
});

describe('a batch', () => {
  /** Charges in each append to the account. */
  const sizesOf = async (work: () => Promise<void>): Promise<number[]> => {
    const sizes: number[] = [];
    fixture.store.beforeAppend = async (streamId, events) => {
      if (streamId === `account-${userId}`) sizes.push(events.length);
    };
    await work();
    return sizes;
  };

  test('of 300 records is appended in parts of 128', async () => {
    const records = Array.from({ length: 300 }, (_, nth) => used(nth + 1));
    expect(await sizesOf(() => send(...records))).toEqual([128, 128, 44]);
    expect((await fixture.keeper.summary(userId))?.balance).toBe(997_000);
  });

  test('of long records is appended in parts of 393,216 characters', async () => {
    const long = (sequence: number, length: number) => {
      const empty = JSON.stringify({ ...used(sequence), pad: '' }).length;
      return JSON.stringify({ ...used(sequence), pad: 'x'.repeat(length - empty) });
    };
    const fitting = [long(1, 196_608), long(2, 196_608), long(3, 5_000)];
    expect(await sizesOf(() => send(...fitting))).toEqual([2, 1]);
    const tooLong = [long(4, 196_608), long(5, 196_609), long(6, 5_000)];
    expect(await sizesOf(() => send(...tooLong))).toEqual([1, 2]);
  });

  test('is delivered again where the log refuses it, and is charged once', async () => {
    let isAway = true;
    fixture.store.beforeAppend = async (streamId) => {
      if (streamId === `account-${userId}` && isAway) {
        isAway = false;
        throw new Error('the log is away');
      }
    };
    await send(used(1), aFailedRecord({ sequence: 2 })).catch(() => undefined);
    const hasFailed = () =>
      fixture.store.all.some(({ streamId }) => streamId === `relay-${relayId}`);
    expect(hasFailed()).toBe(true);
    await send(used(1), aFailedRecord({ sequence: 2 }));
    expect(charges()).toEqual(['req-1']);
  });

  test('brings the failures of each relay to its own error log', async () => {
    const failed = (id: string, requestId: string): UsageRecord =>
      aFailedRecord({ relayId: id, call: { requestId } });
    await send(failed('relay-a', 'a-1'), failed('relay-b', 'b-1'), failed('relay-a', 'a-2'));
    const logged = fixture.store.all
      .filter(({ event }) => event.type === 'RequestFailed')
      .map(({ streamId, event }) => [
        streamId,
        (event.data as { call: { requestId: string } }).call.requestId,
      ]);
    expect(logged.sort()).toEqual([
      ['relay-relay-a', 'a-1'],
      ['relay-relay-a', 'a-2'],
      ['relay-relay-b', 'b-1'],
    ]);
  });

  test('reports the tasks in it after the money', async () => {
    const facts = taskFacts();
    await send(
      { ...aStartedRecord(), task: { facts, outcome: null } },
      { ...used(2), task: { facts, outcome: { kind: 'refused', code: 24, reason: 'banned' } } },
    );
    const types = fixture.store.all.map(({ event }) => event.type);
    const first = types.indexOf('TaskSubmitted');
    expect(first).toBeGreaterThan(types.indexOf('RequestCharged'));
    expect(types.slice(first)).toEqual(['TaskSubmitted', 'TaskFailed']);
  });
});
