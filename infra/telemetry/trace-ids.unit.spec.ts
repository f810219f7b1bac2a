import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { markedRequestId, parseTraceparent, spanIdsOf, traceIdsOf } from './trace-ids.ts';

const requestId = '20261123221530abcdefgh000001z';
const callers = '4bf92f3577b34da6a3ce929d0e0e4736';

test('the trace of a request id is the beginning of its digest, in every process', () => {
  const digest = createHash('sha256').update(requestId).digest('hex');
  expect(traceIdsOf(requestId)?.traceId).toBe(digest.slice(0, 32));
  expect(traceIdsOf(requestId)).toEqual(spanIdsOf(requestId));
  expect(new Set(Object.values(spanIdsOf(requestId))).size).toBe(3);
});

test("a request id names a caller's trace, and shows where a call is not sampled", () => {
  const marked = markedRequestId(requestId, { isSampled: true, traceId: callers });
  expect(marked).toBe(`${requestId}-${callers}`);
  expect(traceIdsOf(marked)?.traceId).toBe(callers);
  expect(markedRequestId(requestId, { isSampled: true, traceId: null })).toBe(requestId);
  const unsampled = markedRequestId(requestId, { isSampled: false, traceId: callers });
  expect(unsampled).toBe(`${requestId}-0`);
  expect(traceIdsOf(unsampled)).toBeNull();
});

test.each([
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', true],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00', false],
  ['cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-the-future-will-be-like', true],
])('%s is taken', (header, isSampled) => {
  expect(parseTraceparent(header)).toEqual({
    traceId: callers,
    spanId: '00f067aa0ba902b7',
    isSampled,
  });
});

test.each([
  ['', 'none'],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7', 'no flags'],
  ['ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'a version that is forbidden'],
  ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', 'a trace of zeros'],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01', 'a span of zeros'],
  ['00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01', 'capitals'],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more', 'more than version 00 has'],
])('%j is ignored: %s', (header) => {
  expect(parseTraceparent(header)).toBeNull();
});
