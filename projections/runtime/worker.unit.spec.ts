import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { nodeSystem } from '../../infra/system/node-system.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { projector } from './projector.ts';
import type { RowStore } from './row-store.ts';
import { createWorker } from './worker.ts';

test('a worker that is made after its session was ended, ends', async () => {
  const worker = createWorker({
    rows: {} as RowStore,
    projector: projector<never>()({ name: 'count', version: 1, tables: {}, on: {} }),
    prepared: { at: null, fresh: false },
    timers: nodeSystem.timers,
    logger: silentLogger,
    signal: AbortSignal.abort(),
    onProgress: () => undefined,
    onRewind: () => undefined,
  });
  const ended = worker.run().then(() => 'ended');
  expect(await Promise.race([ended, turn().then(() => 'running')])).toBe('ended');
});
