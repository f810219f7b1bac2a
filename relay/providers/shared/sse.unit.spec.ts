import { expect, test } from 'vitest';
import { createSseReader, type SseEvent } from './sse.ts';

const read = (text: string, size: number): readonly SseEvent[] => {
  const reader = createSseReader();
  const bytes = Buffer.from(text);
  const events: SseEvent[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    events.push(...(reader.push(bytes.subarray(at, at + size)) ?? []));
  }
  return [...events, ...reader.end()];
};

const text = [
  ': comment',
  'event: first',
  'id: 1',
  'data: {"a":"é漢🙂"}',
  '',
  'data:two',
  'data:  lines',
  '',
  'event: no-blank-line',
  'data: x',
  'event: after',
  'data: y',
  '',
  '{"error":"bare"}',
  'data: last',
].join('\n');

const due = [
  { event: 'first', data: '{"a":"é漢🙂"}' },
  { event: '', data: 'two\n lines' },
  { event: 'no-blank-line', data: 'x' },
  { event: 'after', data: 'y' },
  { event: '', data: '{"error":"bare"}' },
  { event: '', data: 'last' },
];

test.each([1, 2, 3, 7, 64, 10_000])('events survive reads of %i bytes', (size) => {
  expect(read(text, size)).toEqual(due);
});

test.each([1, 2, 3, 7, 64])('the same with carriage returns, in reads of %i bytes', (size) => {
  expect(read(text.replaceAll('\n', '\r\n'), size)).toEqual(due);
});

test('a line or an event without end is given up instead of being held', () => {
  const line = createSseReader(100);
  expect(line.push(Buffer.from(`data: ${'x'.repeat(60)}`))).toEqual([]);
  expect(line.push(Buffer.from('x'.repeat(60)))).toBeNull();
  const event = createSseReader(100);
  expect(event.push(Buffer.from(`data: ${'x'.repeat(60)}\n`))).toEqual([]);
  expect(event.push(Buffer.from(`data: ${'x'.repeat(60)}\n`))).toBeNull();
});

test('bytes that are no UTF-8 do not stop the stream', () => {
  const reader = createSseReader();
  const events = reader.push(Buffer.from([...Buffer.from('data: a'), 0xff, 0x0a, 0x0a]));
  expect(events).toEqual([{ event: '', data: 'a�' }]);
});
