import { expect, test } from 'vitest';
import { fundedReply } from './funded-reply.ts';
import type { Reply } from './reply.ts';

const broken = {
  kind: 'connect',
  upstreamStatus: 0,
  error: { status: 502, message: 'm', type: 't', param: null, code: 'c' },
  retryable: false,
} as const;

/** A stream of one token a byte, of which `covered` are funded until `answer` changes that. */
const scene = (covered: number) => {
  const seen: string[] = [];
  let produced = 0;
  let funded = covered;
  let exhausted = false;
  let answer = (_units: number): void => {};
  let waiting: Promise<void> | null = null;
  const inner: Reply = {
    onData: (piece) => {
      seen.push(piece.toString());
      produced += piece.length;
      if (produced <= funded || waiting !== null) return true;
      waiting = new Promise((resolve) => {
        answer = (units) => {
          waiting = null;
          funded += units;
          exhausted = units === 0;
          resolve();
        };
      });
      return true;
    },
    onEnd: () => seen.push('end'),
    onBroken: () => seen.push('broken'),
    onDrained: () => seen.push('drained'),
    onUnfunded: () => seen.push('unfunded'),
  };
  const funding = {
    get waiting() {
      return waiting;
    },
    get exhausted() {
      return exhausted;
    },
    coveredBytes: () => 4,
  };
  const reply = fundedReply(
    { funding, guarded: (work) => work(), resumeUpstream: () => seen.push('resumed') },
    inner,
  );
  const say = (text: string) => reply.onData(Buffer.from(text));
  const answered = async (units: number): Promise<void> => {
    answer(units);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { reply, seen, say, answered };
};

test('a long read passes in pieces', () => {
  const { seen, say } = scene(100);
  expect(say('abcdefghij')).toBe(true);
  expect(seen).toEqual(['abcd', 'efgh', 'ij']);
});

test('what is not funded waits, and is passed on in order once it is', async () => {
  const { seen, say, answered } = scene(4);
  expect(say('abcdefghij')).toBe(false);
  expect(say('kl')).toBe(false);
  expect(seen).toEqual(['abcd', 'efgh']);
  await answered(2);
  expect(seen).toEqual(['abcd', 'efgh', 'ij']);
  await answered(100);
  expect(seen).toEqual(['abcd', 'efgh', 'ij', 'kl', 'resumed']);
});

test('what is never funded is not delivered', async () => {
  const { reply, seen, say, answered } = scene(4);
  say('abcdefghij');
  reply.onEnd();
  await answered(0);
  say('more');
  reply.onEnd();
  reply.onBroken(broken);
  expect(seen).toEqual(['abcd', 'efgh', 'unfunded']);
});

test.each([
  ['end', (reply: Reply) => reply.onEnd()],
  ['broken', (reply: Reply) => reply.onBroken(broken)],
])('an answer that is %s meanwhile reaches that point after what waits', async (end, finish) => {
  const { reply, seen, say, answered } = scene(4);
  say('abcdefghij');
  finish(reply);
  expect(seen).toEqual(['abcd', 'efgh']);
  await answered(100);
  expect(seen).toEqual(['abcd', 'efgh', 'ij', end]);
});

test('the end of a drain does not wait', async () => {
  const { reply, seen, say, answered } = scene(4);
  say('abcdefghij');
  reply.onDrained();
  await answered(100);
  expect(seen).toEqual(['abcd', 'efgh', 'drained']);
});

test('an answer that is paid for as a whole is left alone', () => {
  const whole: Reply = {
    onData: () => true,
    onEnd: () => {},
    onBroken: () => {},
    onDrained: () => {},
  };
  const funding = { waiting: null, exhausted: false, coveredBytes: () => 1 };
  const terms = { funding, guarded: (work: () => void) => work(), resumeUpstream: () => {} };
  expect(fundedReply(terms, whole)).toBe(whole);
});
