import { describe, expect, test } from 'vitest';
import { BrokenAnswer } from './broken-answer.ts';
import { maxHeadBytes, readResponseHead } from './response-head.ts';

const read = (text: string, before = '', after = '') => {
  const bytes = Buffer.from(before + text + after, 'latin1');
  return readResponseHead(bytes, before.length, bytes.length);
};
const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const ok = 'HTTP/1.1 200 OK';

describe('the head of an answer', () => {
  test('is its status, its raw headers, and where the body starts', () => {
    const text = head(ok, 'Content-Type:  application/json \t', 'X-A:', 'content-length: 12');
    const found = read(text, 'before', 'the body');
    expect(found).toMatchObject({ status: 200, framing: 'length', length: 12, persists: true });
    expect(found?.headers.all()).toEqual({
      'content-type': 'application/json',
      'x-a': '',
      'content-length': '12',
    });
    expect(['content-type', 'x-a', 'x-b'].map((name) => found?.headers.get(name))).toEqual([
      ...['application/json', '', null],
    ]);
    expect(found?.bodyStart).toBe('before'.length + text.length);
  });

  test('may have no reason, and letters beyond ASCII', () => {
    expect(read(head('HTTP/1.1 404', 'x: \xe9'))?.headers.get('x')).toBe('\xe9');
    expect(read(head('HTTP/1.1 404 Nicht gef\xfcnden'))?.status).toBe(404);
  });

  test('is not there until its last byte is, wherever it is cut', () => {
    const text = head(ok, 'content-type: a/b', 'transfer-encoding: chunked');
    for (let size = 0; size < text.length; size += 1) expect(read(text.slice(0, size))).toBeNull();
    expect(read(text)?.framing).toBe('chunked');
  });

  test.each([
    ['a length', ['content-length: 0'], 'length', true],
    ['chunks', ['Transfer-Encoding: Chunked'], 'chunked', true],
    ['nothing', [], 'until-close', false],
    ['a connection that ends', ['Connection: Close', 'content-length: 1'], 'length', false],
    ['close among others', ['connection: x, close', 'content-length: 1'], 'length', false],
  ])('%s determines where the body ends', (_name, lines, framing, persists) => {
    expect(read(head(ok, ...lines))).toMatchObject({ framing, persists });
  });

  test.each([100, 103, 204, 304])('a %i has no body, whatever it states of one', (status) => {
    const text = head(`HTTP/1.1 ${status} X`, 'content-length: 7');
    expect(read(text)).toMatchObject({ status, framing: 'none', persists: true });
  });

  test('of HTTP/1.0 ends its connection', () => {
    expect(read(head('HTTP/1.0 200 OK', 'content-length: 2'))?.persists).toBe(false);
  });

  test('announces how long an idle connection is kept', () => {
    const kept = (value: string) => read(head(ok, `Keep-Alive: ${value}`))?.keepsSeconds;
    expect(kept('timeout=5, max=100')).toBe(5);
    expect(kept('max=3;timeout=61')).toBe(61);
    expect(kept('max=3')).toBeNull();
  });

  test.each([
    ['another protocol', 'HTTP/2.0 200 OK\r\n\r\n'],
    ['no protocol', '<html><body>hello there</body></html>'],
    ['a status that is no number', head('HTTP/1.1 2x0 OK')],
    ['two lengths', head(ok, 'content-length: 5', 'content-length: 5')],
    ['a negative length', head(ok, 'content-length: -5')],
    ['a length with a sign', head(ok, 'content-length: +5')],
    ['a list of lengths', head(ok, 'content-length: 5, 5')],
    ['a length beyond reason', head(ok, `content-length: ${'9'.repeat(16)}`)],
    ['a length and chunks', head(ok, 'content-length: 5', 'transfer-encoding: chunked')],
    ['chunks twice', head(ok, 'transfer-encoding: chunked', 'transfer-encoding: chunked')],
    ['a coding nobody asked for', head(ok, 'transfer-encoding: gzip, chunked')],
    ['a folded line', head(ok, 'a: b', ' folded')],
    ['a space before the colon', head(ok, 'content-length : 5')],
    ['a header without a name', head(ok, ': 5')],
    ['a control character', head(ok, 'a: b\u0000c')],
    ['a line feed alone', 'HTTP/1.1 200 OK\na: b\n\n'],
    ['a carriage return alone', head(ok, 'a: b\rc')],
  ])('with %s is refused: its end cannot be determined', (_name, text) => {
    expect(() => read(text)).toThrow(BrokenAnswer);
  });

  test('is refused when it is too long, whole or not', () => {
    const long = `x: ${'y'.repeat(maxHeadBytes)}`;
    expect(() => read(head(ok, long))).toThrow(/too long/);
    expect(() => read(`${ok}\r\n${long}`)).toThrow(/too long/);
  });
});
