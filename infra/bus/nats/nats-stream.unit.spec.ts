import { NatsError, type StreamInfo } from 'nats';
import { expect, test } from 'vitest';
import { nodeSystem } from '../../system/node-system.ts';
import { infoOnceSetUp, madeOnce } from './nats-stream.ts';

const refusal = (errorCode: number): NatsError => {
  const error = new NatsError('refused', '400');
  error.api_error = { code: 400, err_code: errorCode, description: 'refused' };
  return error;
};

/** Fails with these errors, one after the other, and is made then. */
const failing = (...errors: readonly Error[]) => {
  let count = 0;
  const make = async (): Promise<string> => {
    const error = errors[count];
    count += 1;
    if (error !== undefined) throw error;
    return 'made';
  };
  return { make, count: () => count };
};

const overlap = refusal(10_065);

test('a stream that another process has just begun to make is checked for again', async () => {
  const { make, count } = failing(overlap);
  expect(await madeOnce(make)).toBe('made');
  expect(count()).toBe(2);
});

test('subjects that are another stream’s are an error', async () => {
  const { make } = failing(overlap, overlap);
  await expect(madeOnce(make)).rejects.toBe(overlap);
});

test('nothing else is tried again', async () => {
  const full = refusal(10_047);
  const { make, count } = failing(full);
  await expect(madeOnce(make)).rejects.toBe(full);
  expect(count()).toBe(1);
});

/** What a server of NATS 2.9 answers for a stream that another process is making, and what it does afterwards. */
const beingMade = { created: '0001-01-01T00:00:00Z' } as StreamInfo;
const isMade = { created: '2026-01-02T03:04:05.678Z' } as StreamInfo;

test('a stream that is still set up is read again until it has a store', async () => {
  const answers = [beingMade, beingMade, isMade, beingMade];
  const readInfo = async (): Promise<StreamInfo> => answers.shift() ?? beingMade;
  expect(await infoOnceSetUp(nodeSystem.timers, readInfo)).toBe(isMade);
  expect(answers).toEqual([beingMade]);
});

test('a stream that has a store is read once', async () => {
  let reads = 0;
  const readInfo = async (): Promise<StreamInfo> => {
    reads += 1;
    return isMade;
  };
  expect(await infoOnceSetUp(nodeSystem.timers, readInfo)).toBe(isMade);
  expect(reads).toBe(1);
});
