import { describe, expect, test } from 'vitest';
import { randomFrom } from '../../tests/support/odd-input.ts';
import { createPatternSearch } from './pattern-search.ts';

const patternsOf = (...texts: readonly string[]): Buffer[] =>
  texts.map((text) => Buffer.from(text));

describe('a search for several patterns', () => {
  test.each([
    ['at the start', 'key-one is here', true],
    ['at the end', 'here is key-one', true],
    ['the longer one', 'a second-key-that-is-long.', true],
    ['the beginning of the longer one alone', 'a second-key-that-is', false],
    ['behind a beginning of itself', 'key-key-one', true],
    ['nothing', '', false],
    ['less than the shortest', 'key-on', false],
    ['another text', 'the quick brown fox jumps over the lazy dog', false],
  ])('%s', (_what, text, expected) => {
    const search = createPatternSearch(patternsOf('key-one', 'second-key-that-is-long'));
    expect(search(Buffer.from(text))).toBe(expected);
  });

  test('an empty set of patterns matches nothing', () => {
    expect(createPatternSearch([])(Buffer.from('anything'))).toBe(false);
  });

  test('patterns longer than 255 bytes, and one of a single byte', () => {
    const long = 'x1'.repeat(300);
    const search = createPatternSearch(patternsOf(long));
    expect(search(Buffer.from(`a${long}b`))).toBe(true);
    expect(search(Buffer.from(long.slice(1)))).toBe(false);
    expect(createPatternSearch(patternsOf('z', 'abc'))(Buffer.from('--z'))).toBe(true);
  });

  test('it finds what a native search finds, in texts of few letters', () => {
    const random = randomFrom(7);
    const textOf = (length: number): string =>
      Array.from({ length }, () => 'abc'[Math.floor(random() * 3)]).join('');
    let found = 0;
    for (let round = 0; round < 4_000; round += 1) {
      const patterns = patternsOf(
        ...Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
          textOf(3 + Math.floor(random() * 6)),
        ),
      );
      const bytes = Buffer.from(textOf(Math.floor(random() * 40)));
      const expected = patterns.some((pattern) => bytes.includes(pattern));
      expect(createPatternSearch(patterns)(bytes)).toBe(expected);
      if (expected) found += 1;
    }
    expect(found).toBeGreaterThan(500);
    expect(found).toBeLessThan(3_500);
  });
});
