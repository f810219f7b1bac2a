import { expect, test } from 'vitest';
import { accept, type Decider, reject } from '../../domain/shared/decider.ts';
import type { Command, Event } from '../../domain/shared/event.ts';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { createHandle } from './handle-command.ts';

type Added = Event<'Added', { amount: number }>;
type Add = Command<'Add', { amount: number; limit?: number }>;

const sumDecider: Decider<Add, Added, number, 'sum.too-much'> = {
  initialState: 0,
  decide: ({ data: { amount, limit } }, sum) => {
    if (amount === 0) return accept();
    if (limit !== undefined && sum + amount > limit) return reject('sum.too-much');
    return accept({ type: 'Added', data: { amount } });
  },
  evolve: (sum, { data }) => sum + data.amount,
};

const add = (amount: number, commandId: string, limit?: number): Add => ({
  type: 'Add',
  data: limit === undefined ? { amount } : { amount, limit },
  metadata: aMetadata({ commandId }),
});

const start = () => {
  const eventStore = createMemoryEventStore();
  const commands = createHandle({ eventStore });
  const give = (command: Add) => commands.handle(sumDecider, 'sum-1', command);
  const amounts = () => eventStore.all.map(({ event }) => (event as Added).data.amount);
  return { eventStore, commands, give, amounts };
};

test('a command is decided, appended and answered with its place in the log', async () => {
  const { give, amounts, eventStore } = start();
  const result = await give(add(3, 'a'));
  const position = eventStore.all.at(-1)?.position;
  expect(result).toMatchObject({ kind: 'accepted', position, repeated: false });
  expect(amounts()).toEqual([3]);
});

test('between commands the state stays in memory', async () => {
  const { give, eventStore } = start();
  await give(add(3, 'a'));
  const { reads } = eventStore;
  await give(add(4, 'b'));
  expect(eventStore.reads).toBe(reads);
});

test('a refusal writes nothing', async () => {
  const { give, amounts } = start();
  expect(await give(add(9, 'a', 5))).toMatchObject({ kind: 'rejected', code: 'sum.too-much' });
  expect(amounts()).toEqual([]);
});

test('what is as it was is accepted without an event', async () => {
  const { give } = start();
  expect(await give(add(0, 'a'))).toMatchObject({ kind: 'accepted', events: [], position: null });
});

test('the same command twice gives its events once', async () => {
  const { give, amounts } = start();
  const first = await give(add(3, 'a'));
  const second = await give(add(3, 'a'));
  expect(second).toEqual({ ...first, repeated: true });
  expect(amounts()).toEqual([3]);
});

test('the same command is recognised by a process that has just started', async () => {
  const { eventStore, give, amounts } = start();
  await give(add(3, 'a'));
  const other = createHandle({ eventStore });
  const second = await other.handle(sumDecider, 'sum-1', add(3, 'a'));
  expect(second).toMatchObject({ kind: 'accepted', repeated: true });
  expect(amounts()).toEqual([3]);
});

test('one command id cannot represent two intents', async () => {
  const { give, amounts } = start();
  await give(add(3, 'a'));
  const second = await give(add(4, 'a'));
  expect(second).toMatchObject({ kind: 'rejected', code: 'request.idempotency-conflict' });
  expect(amounts()).toEqual([3]);
});

test('a repeat whose answer was lost on the way is not done twice', async () => {
  const { eventStore, give, amounts } = start();
  eventStore.afterAppend = async () => {
    eventStore.afterAppend = null;
    throw new Error('connection lost');
  };
  await expect(give(add(3, 'a'))).rejects.toThrow('connection lost');
  expect(await give(add(3, 'a'))).toMatchObject({ kind: 'accepted', repeated: true });
  expect(amounts()).toEqual([3]);
});

test('two processes on one stream both get their commands in', async () => {
  const { eventStore, give, commands, amounts } = start();
  const other = createHandle({ eventStore });
  await give(add(1, 'a'));
  await other.handle(sumDecider, 'sum-1', add(2, 'b'));
  await Promise.all([give(add(3, 'c')), other.handle(sumDecider, 'sum-1', add(4, 'd'))]);
  expect(amounts().toSorted()).toEqual([1, 2, 3, 4]);
  expect(await commands.load(sumDecider, 'sum-1', { fresh: true })).toMatchObject({ state: 10 });
});

test('a refusal is never given on a state that is out of date', async () => {
  const { eventStore, give } = start();
  const other = createHandle({ eventStore });
  await give(add(5, 'a'));
  await other.handle(sumDecider, 'sum-1', add(-4, 'b'));
  expect(await give(add(3, 'c', 5))).toMatchObject({ kind: 'accepted' });
});

test('an event of another process invalidates the older state in memory', async () => {
  const { eventStore, give, commands } = start();
  const other = createHandle({ eventStore });
  await give(add(5, 'a'));
  await other.handle(sumDecider, 'sum-1', add(2, 'b'));
  expect(await commands.load(sumDecider, 'sum-1')).toMatchObject({ state: 5 });
  const newest = eventStore.all.at(-1);
  if (newest) commands.observe(newest);
  expect(await commands.load(sumDecider, 'sum-1')).toMatchObject({ state: 7 });
});

test('memory is not trusted while the process has not caught up with the log', async () => {
  const eventStore = createMemoryEventStore();
  const commands = createHandle({ eventStore, isLive: () => false });
  await commands.handle(sumDecider, 'sum-1', add(5, 'a'));
  await createHandle({ eventStore }).handle(sumDecider, 'sum-1', add(2, 'b'));
  expect(await commands.load(sumDecider, 'sum-1')).toMatchObject({ state: 7 });
});

test('fifty commands at one moment never pass the limit together', async () => {
  const { give, amounts } = start();
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, nth) => give(add(1, `c${nth}`, 10))),
  );
  expect(results.filter(({ kind }) => kind === 'accepted')).toHaveLength(10);
  expect(amounts()).toHaveLength(10);
});

test('nothing is created under an id that was given up', async () => {
  const { eventStore, give, amounts } = start();
  const event = { type: 'IdVoided', data: { streamId: 'sum-1', kind: 'name' } };
  const metadata = aMetadata({ commandId: 'void' });
  await eventStore.append('sum-1', [{ event, eventId: 'v', metadata }], 'no-stream');
  expect(await give(add(1, 'a'))).toMatchObject({ kind: 'rejected', code: 'request.expired' });
  expect(amounts()).toHaveLength(1);
});

test('a stream without events is not kept in memory', async () => {
  const { eventStore, commands } = start();
  await commands.load(sumDecider, 'sum-1');
  await createHandle({ eventStore }).handle(sumDecider, 'sum-1', add(2, 'a'));
  expect(await commands.load(sumDecider, 'sum-1')).toMatchObject({ state: 2 });
});

test('a stream continues after an unreadable event', async () => {
  const { give, eventStore } = start();
  await give(add(3, 'a'));
  eventStore.appendUnreadable('sum-1');
  expect(await give(add(4, 'b'))).toMatchObject({ kind: 'accepted' });
  const commands = createHandle({ eventStore });
  eventStore.appendUnreadable('sum-1');
  expect(await commands.load(sumDecider, 'sum-1')).toMatchObject({ state: 7, revision: 3n });
  expect(await commands.handle(sumDecider, 'sum-1', add(1, 'c'))).toMatchObject({
    kind: 'accepted',
  });
});

test('two processes that hold the state take one command id for one intent', async () => {
  const { eventStore, give, amounts } = start();
  await give(add(3, 'a'));
  const other = createHandle({ eventStore });
  const giveOther = (command: Add) => other.handle(sumDecider, 'sum-1', command);
  await giveOther(add(4, 'b'));
  await give(add(1, 'c'));
  await giveOther(add(1, 'd'));
  // Each of them is one event behind when its turn is reached.
  expect(await give(add(5, 'e'))).toMatchObject({ kind: 'accepted', repeated: false });
  expect(await giveOther(add(6, 'e'))).toMatchObject({
    kind: 'rejected',
    code: 'request.idempotency-conflict',
  });
  expect(await giveOther(add(5, 'e'))).toMatchObject({ kind: 'accepted', repeated: true });
  expect(amounts()).toEqual([3, 4, 1, 1, 5]);
});
