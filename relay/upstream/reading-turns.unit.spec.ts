import { expect, test } from 'vitest';
import { AnswerHeaders } from './answer-headers.ts';
import { UpstreamCall } from './call.ts';
import { ReadingTurns } from './reading-turns.ts';

const kib = 1_024;
const fullRead = Buffer.alloc(64 * kib, 'x');
const noHeaders = AnswerHeaders.of([]);
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Fed = Readonly<{ call: UpstreamCall; pieces: Buffer[]; events: string[] }>;

/** A call whose provider writes as fast as it is fullRead; `resumed` counts how often it may go on. */
const callOf = (turns: ReadingTurns, owner: number, takes: () => boolean = () => true) => {
  const pieces: Buffer[] = [];
  const events: string[] = [];
  const state = { resumed: 0 };
  const call = new UpstreamCall(
    {
      owner,
      onHead: () => {},
      onData: (chunk) => {
        pieces.push(chunk);
        return takes();
      },
      onEnd: () => void events.push('end'),
      onFailure: () => void events.push('failure'),
    },
    turns,
  );
  call.onHead(200, noHeaders, () => {
    state.resumed += 1;
  });
  return { call, pieces, events, state };
};

const bytesOf = (calls: readonly Pick<Fed, 'pieces'>[]): number =>
  calls.flatMap(({ pieces }) => pieces).reduce((sum, { length }) => sum + length, 0);

test('two hundred fast streams of one user get one share of a turn together', async () => {
  const turns = new ReadingTurns();
  const fast = Array.from({ length: 200 }, () => callOf(turns, 1));
  for (const { call } of fast) call.onData(fullRead);
  const share = bytesOf(fast);
  expect(share).toBeLessThanOrEqual(192 * kib);
  // Another user is served in the same turn.
  const other = callOf(turns, 2);
  expect(other.call.onData(fullRead)).toBe(true);
  expect(bytesOf([other])).toBe(fullRead.length);
  let before = share;
  for (let turn = 0; turn < 20; turn += 1) {
    await nextTurn();
    const now = bytesOf(fast);
    expect(now - before).toBeGreaterThan(0);
    expect(now - before).toBeLessThanOrEqual(192 * kib);
    before = now;
  }
});

test('each stream of a user gets as much as the others, and each byte in its order', async () => {
  const turns = new ReadingTurns();
  const fast = Array.from({ length: 20 }, () => callOf(turns, 1));
  const piece = (at: number): Buffer => Buffer.alloc(64 * kib, at);
  for (let at = 0; at < 4; at += 1) for (const { call } of fast) call.onData(piece(at));
  for (const { call } of fast) call.onComplete();
  let least = 0;
  while (least < 4) {
    await nextTurn();
    const counts = fast.map(({ pieces }) => pieces.length);
    least = Math.min(...counts);
    expect(Math.max(...counts) - least).toBeLessThanOrEqual(2);
  }
  for (const { pieces, events } of fast) {
    expect(Buffer.concat(pieces).equals(Buffer.concat([0, 1, 2, 3].map(piece)))).toBe(true);
    expect(events).toEqual(['end']);
  }
});

test('a stream alone is read on after each piece, and short pieces never wait', async () => {
  const turns = new ReadingTurns();
  const alone = callOf(turns, 1);
  while (alone.call.onData(fullRead));
  await nextTurn();
  expect(alone.state.resumed).toBe(1);
  for (let at = 0; at < 1_000; at += 1) expect(alone.call.onData(Buffer.from('x'))).toBe(true);
});

test('a stream whose caller is slow waits for the caller, not for its turn', async () => {
  const turns = new ReadingTurns();
  let takes = true;
  const slow = callOf(turns, 1, () => takes);
  while (slow.call.onData(fullRead));
  slow.call.onData(fullRead);
  takes = false;
  const count = slow.pieces.length;
  for (let at = 0; at < 3; at += 1) await nextTurn();
  expect(slow.pieces).toHaveLength(count + 1);
  takes = true;
  slow.call.resume();
  await nextTurn();
  expect(slow.pieces).toHaveLength(count + 2);
  expect(slow.state.resumed).toBe(1);
});

test('a failure follows the pieces before it; nothing follows an abort', async () => {
  const turns = new ReadingTurns();
  const [failed, aborted] = [callOf(turns, 1), callOf(turns, 1)];
  for (const { call } of [failed, aborted]) for (let at = 0; at < 4; at += 1) call.onData(fullRead);
  failed.call.onError(new Error('reset'));
  expect(failed.events).toEqual([]);
  aborted.call.abort();
  const before = aborted.pieces.length;
  for (let at = 0; at < 8; at += 1) await nextTurn();
  expect(failed.pieces).toHaveLength(4);
  expect(failed.events).toEqual(['failure']);
  expect(aborted.pieces).toHaveLength(before);
  expect(aborted.events).toEqual([]);
});
