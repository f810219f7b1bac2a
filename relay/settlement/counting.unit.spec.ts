import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetrics } from '../../infra/metrics/create-metrics.ts';
import type { Workers } from '../../infra/ports/workers.ts';
import { entryPath } from '../../infra/processes/entry-paths.ts';
import { createWorkers } from '../../infra/workers/create-workers.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createOffload } from '../offload/offload.ts';
import { createCounting } from './counting.ts';

let workers: Workers;
beforeAll(() => {
  workers = createWorkers({
    filename: entryPath('infra/processes/relay-worker'),
    logger: silentLogger,
    metrics: createMetrics({ process: 'test' }),
  });
});
afterAll(() => workers.close());

/** Turns of the event loop until the work is done. */
const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let turns = 0;
  let isRunning = true;
  const turn = (): void => {
    turns += 1;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isRunning = false;
  return turns;
};

/** Each thread loads its code and its tables first, which takes long on a machine that is busy. */
const timeout = 120_000;

test('the event loop turns on while a megabyte is counted', { timeout }, async () => {
  const counting = createCounting(createOffload(workers, silentLogger), silentLogger);
  const content = '中文没有空格也没有标点'.repeat(32_000);
  const body = Buffer.from(JSON.stringify({ messages: [{ role: 'user', content }] }));
  expect(body.length).toBeGreaterThan(1_000_000);
  const request = { body, scan: { blobBytes: 0, blobs: 0 }, model: 'gpt-4o', userId: 7 };
  // The tables are loaded before: that alone lets the loop turn, on any thread.
  await counting.prompt({ ...request, body: Buffer.from('{"prompt":"one"}') });
  let counted: unknown;
  const turns = await turnsDuring(async () => {
    counted = await counting.prompt(request);
  });
  expect(counted).toBeGreaterThan(100_000);
  // A count on this thread holds the loop from its first character to its last.
  expect(turns).toBeGreaterThan(100);
});
