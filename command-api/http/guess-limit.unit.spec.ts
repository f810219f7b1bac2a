import { beforeEach, expect, test } from 'vitest';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { vaultOf } from '../../tests/support/vault.ts';
import { createGuessLimit, type Guess } from './guess-limit.ts';

let nowMs: number;
let guess: (changes?: Partial<Guess>) => Promise<string>;
let rightGuess: (changes?: Partial<Guess>) => Promise<void>;
beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1);
  const clock = () => new Date(nowMs);
  const take = createGuessLimit({
    bus: createMemoryBus({ logger: silentLogger, clock }),
    vault: vaultOf('guess-limit'),
  });
  const usual: Guess = { account: 'ada', network: 'n', device: null, isKnownNetwork: false };
  guess = async (changes) => (await take({ ...usual, ...changes })).verdict;
  rightGuess = async (changes) => (await take({ ...usual, ...changes })).giveBack();
});

const times = async (count: number, attempt: (nth: number) => Promise<string>) => {
  const verdicts: Record<string, number> = {};
  for (let nth = 0; nth < count; nth += 1) {
    const verdict = await attempt(nth);
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  }
  return verdicts;
};

test('one network gets ten guesses at an account in twenty minutes', async () => {
  expect(await times(1_000, () => guess())).toEqual({ free: 10, refused: 990 });
  expect(await guess({ account: 'bob' })).toBe('free');
  nowMs += 1_200_000;
  expect(await guess()).toBe('free');
});

test('the twenty minutes begin with the first guess, at whatever time of day', async () => {
  nowMs = Date.UTC(2026, 0, 1, 0, 19, 55);
  expect(await times(10, () => guess())).toEqual({ free: 10 });
  nowMs += 10_000;
  expect(await guess()).toBe('refused');
  nowMs += 1_189_999;
  expect(await guess()).toBe('refused');
  nowMs += 1;
  expect(await guess()).toBe('free');
});

test('guesses at one moment count as well', async () => {
  const verdicts = await Promise.all(Array.from({ length: 50 }, () => guess()));
  expect(verdicts.filter((verdict) => verdict === 'free')).toHaveLength(10);
});

test('guesses out of many networks slow strangers down and refuse none of them', async () => {
  const verdicts = await times(500, (nth) => guess({ network: `n${nth}` }));
  expect(verdicts).toEqual({ free: 30, pressed: 470 });
  expect(await guess({ network: 'fresh' })).toBe('pressed');
});

test('on a trusted network, nothing slows the owner down', async () => {
  await times(500, (nth) => guess({ network: `n${nth}` }));
  expect(await guess({ network: 'home', isKnownNetwork: true })).toBe('free');
  await times(20, () => guess({ network: 'office' }));
  expect(await guess({ network: 'office' })).toBe('refused');
  expect(await guess({ network: 'office', device: 'mine' })).toBe('free');
});

test('a stolen trusted browser has no more guesses than a stranger', async () => {
  expect(await times(100, () => guess({ device: 'stolen' }))).toEqual({ free: 20, refused: 80 });
});

test('one network gets a hundred guesses at all accounts together', async () => {
  const verdicts = await times(300, (nth) => guess({ account: `user${nth}` }));
  expect(verdicts).toEqual({ free: 100, refused: 200 });
});

test('right answers count nowhere', async () => {
  for (let nth = 0; nth < 300; nth += 1) await rightGuess();
  expect(await times(20, () => guess())).toEqual({ free: 10, refused: 10 });
});
