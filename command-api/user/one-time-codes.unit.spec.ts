import { beforeEach, expect, test } from 'vitest';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { vaultOf } from '../../tests/support/vault.ts';
import { type CodePurpose, createOneTimeCodes } from './one-time-codes.ts';

let codes: ReturnType<typeof createOneTimeCodes>;
beforeEach(() => {
  const vault = vaultOf('one-time-codes');
  codes = createOneTimeCodes({ bus: createMemoryBus({ logger: silentLogger }), vault });
});

const home = '192.0.2.7';
const use = (ip = home, purpose: CodePurpose = 'email') =>
  ({ purpose, address: 'ada@example.com', ip }) as const;
const elsewhere = (nth: number) => `10.${nth >> 8}.${nth & 255}.9`;
const guess = (ip: string, times = 1, purpose: CodePurpose = 'email') =>
  Promise.all(Array.from({ length: times }, () => codes.isRight(use(ip, purpose), 'zzzzzz')));

test('guesses from other networks do not void a code where it was requested', async () => {
  const code = await codes.issue(use());
  for (let nth = 0; nth < 200; nth += 1) await guess(elsewhere(nth));
  expect(await codes.isRight(use(), code)).toBe(true);
});

test('five wrong guesses void a code for the network that made them, and for it alone', async () => {
  const code = await codes.issue(use());
  await guess('198.51.100.1', 5);
  expect(await codes.isRight(use('198.51.100.2'), code)).toBe(false);
  expect(await codes.isRight(use(), code)).toBe(true);
  await guess(home, 5);
  expect(await codes.isRight(use(), code)).toBe(false);
});

test('many networks together get fifty guesses at a code', async () => {
  const code = await codes.issue(use());
  for (let nth = 0; nth < 50; nth += 1) await guess(elsewhere(nth));
  expect(await codes.isRight(use(elsewhere(99)), code)).toBe(false);
});

test('a reset link opens anywhere, however many guess', async () => {
  const code = await codes.issue(use(home, 'password-reset'));
  for (let nth = 0; nth < 200; nth += 1) await guess(elsewhere(nth), 1, 'password-reset');
  expect(await codes.isRight(use(elsewhere(999), 'password-reset'), code)).toBe(true);
});

test('a new code has new attempts', async () => {
  await codes.issue(use());
  await guess(home, 9);
  const code = await codes.issue(use());
  expect(await codes.isRight(use(), code)).toBe(true);
});
