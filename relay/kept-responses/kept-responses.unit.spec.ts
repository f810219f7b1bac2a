import { expect, test } from 'vitest';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { vault } from '../../tests/support/relay/relay-harness.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createOptionBook } from '../feeds/options.ts';
import { createKeptResponses } from './kept-responses.ts';

const mebibyte = 1_048_576;

/** What is stored of a conversation of so many characters, as a bus sends it; null: nothing. */
const storedOf = async (character: string, count: number): Promise<string | null> => {
  const bus = createMemoryBus({ logger: silentLogger });
  const stored: string[] = [];
  const kept = createKeptResponses({
    bus: {
      keyValue: (bucket, options) => ({
        ...bus.keyValue(bucket, options),
        put: async (_key, value) => void stored.push(JSON.stringify(value)),
      }),
    },
    vault,
    clock: () => new Date(0),
    options: createOptionBook(silentLogger),
    logger: silentLogger,
  });
  const input = [{ role: 'user', content: character.repeat(count) }];
  kept.keep({ id: 'resp_1', output: [] }, { userId: 7, input });
  await bus.close();
  return stored[0] ?? null;
};

test.each([
  ['Latin letters', 'a', 500_000],
  ['Chinese characters', '好', 170_000],
])('what is kept of %s fits into a message of a bus', async (_name, character, count) => {
  const stored = await storedOf(character, count);
  expect(stored).not.toBeNull();
  expect(Buffer.byteLength(stored ?? '')).toBeLessThan(mebibyte);
});

test.each([
  ['Latin letters', 'a', 530_000],
  ['Chinese characters', '好', 300_000],
])('what would not fit of %s is not sent', async (_name, character, count) => {
  expect(await storedOf(character, count)).toBeNull();
});
