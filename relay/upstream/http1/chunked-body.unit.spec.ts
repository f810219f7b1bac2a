import { describe, expect, test } from 'vitest';
import { BrokenAnswer } from './broken-answer.ts';
import { ChunkedBody } from './chunked-body.ts';

/** The body of `text`, read in pieces of `size` bytes, and what followed it. */
const read = (text: string, size: number) => {
  const chunks = new ChunkedBody();
  const bytes = Buffer.from(text, 'latin1');
  let body = '';
  let at = 0;
  while (at < bytes.length && !chunks.isOver) {
    const to = Math.min(bytes.length, at + size);
    const out = Buffer.alloc(to - at);
    const taken = chunks.take(bytes, { from: at, to }, out);
    body += out.toString('latin1', 0, taken.filled);
    at = taken.at;
  }
  return { body, isOver: chunks.isOver, rest: bytes.toString('latin1', at) };
};

const plain = '5\r\nhello\r\n1\r\n \r\n00A;x="y"\r\n0123456789\r\n0\r\n\r\n';

describe('a body in chunks', () => {
  test('is the same however it is cut', () => {
    for (let size = 1; size <= plain.length; size += 1) {
      expect(read(plain, size)).toEqual({ body: 'hello 0123456789', isOver: true, rest: '' });
    }
  });

  test('ends behind its trailers, and leaves what follows alone', () => {
    const text = '3\r\nabc\r\n0\r\nx-sum: 1\r\ny: 2\r\n\r\nHTTP/1.1 200';
    for (const size of [1, 7, 99]) {
      const { body, isOver, rest } = read(text, size);
      expect([body, isOver]).toEqual(['abc', true]);
      if (size === 99) expect(rest).toBe('HTTP/1.1 200');
    }
  });

  test('is not over without its last chunk', () => {
    expect(read('3\r\nabc\r\n', 4)).toMatchObject({ body: 'abc', isOver: false });
    expect(read('3\r\nabc\r\n0\r\n', 4).isOver).toBe(false);
    expect(read('3\r\nab', 4)).toMatchObject({ body: 'ab', isOver: false });
  });

  test.each([
    ['no size', '\r\nabc'],
    ['a size that is no number', 'g\r\nabc'],
    ['a negative size', '-1\r\nabc'],
    ['a size beyond reason', 'ffffffffffffff\r\n'],
    ['more data than it said', '3\r\nabcd\r\n'],
    ['a line feed alone behind the size', '3\nabc\r\n'],
    ['a line feed alone behind the data', '3\r\nabc\n0\r\n\r\n'],
    ['a line feed in an extension', '3;a\nb\r\nabc'],
    ['a carriage return in an extension', '3;a\rb\r\nabc'],
    ['extensions without end', `3;${'x'.repeat(20_000)}`],
    ['trailers without end', `0\r\n${'x: y\r\n'.repeat(5_000)}`],
    ['a line feed in a trailer', '0\r\nx: y\nz\r\n\r\n'],
  ])('with %s is refused', (_name, text) => {
    for (const size of [1, 5, 100_000]) expect(() => read(text, size)).toThrow(BrokenAnswer);
  });
});
