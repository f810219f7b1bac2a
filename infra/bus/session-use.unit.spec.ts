import { expect, test, vi } from 'vitest';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import type { Bus } from '../ports/bus.ts';
import { createMemoryBus } from './memory/create-memory-bus.ts';
import { createSessionUse } from './session-use.ts';

const aSite = () => {
  let nowMs = Date.UTC(2026, 0, 1);
  const clock = () => new Date(nowMs);
  const memory = createMemoryBus({ logger: silentLogger, clock });
  let writes = 0;
  const bus: Bus = {
    ...memory,
    keyValue: (name, options) => {
      const bucket = memory.keyValue(name, options);
      const put: typeof bucket.put = async (key, value) => {
        writes += 1;
        await bucket.put(key, value);
      };
      return { ...bucket, put };
    },
  };
  return {
    use: () => createSessionUse({ bus, clock, logger: silentLogger }),
    writes: () => writes,
    passSeconds: (seconds: number) => {
      nowMs += seconds * 1_000;
    },
  };
};

test('the last use is written once a minute, however many processes see it', async () => {
  const site = aSite();
  const [one, two] = [site.use(), site.use()];
  one.note('s');
  await vi.waitFor(async () => expect((await one.lastUsedAt(['s'])).size).toBe(1));
  for (let second = 0; second < 59; second += 1) {
    one.note('s');
    two.note('s');
    site.passSeconds(1);
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(site.writes()).toBe(1);
  site.passSeconds(1);
  two.note('s');
  const last = Date.UTC(2026, 0, 1) + 60_000;
  await vi.waitFor(async () =>
    expect(await one.lastUsedAt(['s', 'x'])).toEqual(new Map([['s', last]])),
  );
  expect(site.writes()).toBe(2);
});

test('a store that is away harms no call', async () => {
  const warned: unknown[] = [];
  const logger = { ...silentLogger, warn: (...warnings: unknown[]) => void warned.push(warnings) };
  const memory = createMemoryBus({ logger: silentLogger });
  const bus: Bus = {
    ...memory,
    keyValue: (name, options) => ({
      ...memory.keyValue(name, options),
      get: async () => {
        throw new Error('away');
      },
    }),
  };
  createSessionUse({ bus, clock: () => new Date(), logger }).note('s');
  await vi.waitFor(() => expect(warned).toHaveLength(1));
});
