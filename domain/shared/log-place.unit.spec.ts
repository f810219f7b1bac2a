import { expect, test } from 'vitest';
import type { Recorded } from './event.ts';
import { LogGuard, LogReplacedError } from './log-place.ts';

/** A log of these event ids, at the positions 0, 1, 2 … */
const logOf = (eventIds: readonly string[]) => {
  const log = { eventIds: [...eventIds], reads: 0 };
  const readable = {
    head: async () => BigInt(log.eventIds.length - 1),
    async *readAll({ from }: Readonly<{ from: bigint }>) {
      log.reads += 1;
      for (let at = Number(from); at < log.eventIds.length; at += 1) {
        yield { position: BigInt(at), eventId: log.eventIds[at] } as Recorded;
      }
    },
  };
  return { log, readable };
};
const guarded = (eventIds: readonly string[]) => {
  const { log, readable } = logOf(eventIds);
  const clock = { now: 5_000 };
  const guard = new LogGuard(readable, () => clock.now);
  const append = (eventId: string) =>
    guard.append([eventId], async () => ({ position: BigInt(log.eventIds.push(eventId) - 1) }));
  return { log, clock, guard, append };
};

test('the log is read before the first append, and again after a second without an answer', async () => {
  const { log, clock, guard, append } = guarded(['a', 'b']);
  guard.delivered({ position: 1n, eventId: 'b' } as Recorded);
  await append('c');
  clock.now += 999;
  await append('d');
  clock.now += 999;
  await append('e');
  expect(log.reads).toBe(1);
  clock.now += 1_000;
  await append('f');
  expect(log.reads).toBe(2);
  expect(log.eventIds).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('nothing is appended to a log that took the place of the one that was followed', async () => {
  const { log, clock, guard, append } = guarded(['a', 'b']);
  guard.delivered({ position: 1n, eventId: 'b' } as Recorded);
  await append('c');
  log.eventIds.splice(1, 2, 'x', 'y');
  clock.now += 1_000;
  const noticed: unknown[] = [];
  guard.onReplaced((error) => noticed.push(error.at));
  guard.onReplaced((error) => noticed.push(error))();
  await expect(append('d')).rejects.toThrow(LogReplacedError);
  expect(noticed).toEqual([{ position: 2n, eventId: 'c' }]);
  await expect(append('e')).rejects.toThrow(LogReplacedError);
  await guard.check();
  expect(log.eventIds).toEqual(['a', 'x', 'y']);
});

test.each([
  ['of another log', { position: 1n, eventId: 'x' }, false],
  ['beyond the log', { position: 7n, eventId: 'h' }, false],
  ['of this log', { position: 1n, eventId: 'b' }, true],
])('what a subscription has read before is checked: a place %s', async (_, place, isHeld) => {
  const { guard } = guarded(['a', 'b']);
  guard.resumed(place);
  const found = await guard.check().then(
    () => true,
    () => false,
  );
  expect(found).toBe(isHeld);
});

test('after a failure the log is read before anything goes again', async () => {
  const { log, guard, append } = guarded(['a', 'b']);
  guard.delivered({ position: 1n, eventId: 'b' } as Recorded);
  await append('c');
  await expect(guard.append([], () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  log.eventIds.length = 1;
  await expect(append('d')).rejects.toThrow(LogReplacedError);
});

test('a process that was delivered nothing appends without reading', async () => {
  const { log, append } = guarded([]);
  await append('a');
  expect([log.reads, log.eventIds]).toEqual([0, ['a']]);
});

test('what is noted while the log is read does not count against it', async () => {
  const { log, guard, append } = guarded(['a', 'b']);
  guard.delivered({ position: 1n, eventId: 'b' } as Recorded);
  await Promise.all([append('c'), append('d'), append('e')]);
  expect(log.eventIds).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('in a process that appends, who begins to listen after the log was found replaced is called at once', async () => {
  const { log, clock, guard, append } = guarded(['a', 'b']);
  guard.delivered({ position: 1n, eventId: 'b' } as Recorded);
  log.eventIds.length = 1;
  clock.now += 1_000;
  await expect(append('c')).rejects.toThrow(LogReplacedError);
  const noticed: unknown[] = [];
  guard.onReplaced((error) => noticed.push(error.at));
  expect(noticed).toEqual([{ position: 1n, eventId: 'b' }]);
});

test('a process that only reads begins again on the log that is there', async () => {
  const { log, guard } = guarded(['a', 'b']);
  guard.delivered({ position: 1n, eventId: 'b' } as Recorded);
  log.eventIds.length = 1;
  await expect(guard.check()).rejects.toThrow(LogReplacedError);
  const noticed: unknown[] = [];
  guard.onReplaced((error) => noticed.push(error));
  await guard.check();
  expect(noticed).toEqual([]);
});
