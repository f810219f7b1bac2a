import { NatsError } from 'nats';
import { expect, test } from 'vitest';
import { madeOnce } from './nats-link.ts';

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

test('a stream that another process has just begun to make is looked for again', async () => {
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
