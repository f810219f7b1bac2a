import { expect, test } from 'vitest';
import type { UpstreamFailure } from '../upstream/types.ts';
import { lastError } from './failures.ts';

const tooMany: UpstreamFailure = {
  kind: 'status',
  upstreamStatus: 429,
  error: {
    status: 429,
    message: 'Organisation org-7 has used its tokens of this minute',
    type: 'upstream_error',
    code: 'rate_limited',
  },
  retryable: true,
};

test.each(['openai', 'gemini'] as const)(
  'a %s caller is not shown whose limit was hit',
  (protocol) => {
    const error = lastError(tooMany, protocol);
    expect(error.message).not.toContain('org-7');
    expect(error).toMatchObject({ status: 429, code: 'rate_limited' });
  },
);

test('a caller of the Messages API gets the provider’s own words', () => {
  expect(lastError(tooMany, 'claude')).toEqual(tooMany.error);
});

test('other errors keep their words', () => {
  const error = { ...tooMany.error, status: 400 };
  expect(lastError({ ...tooMany, error }, 'openai')).toEqual(error);
});
