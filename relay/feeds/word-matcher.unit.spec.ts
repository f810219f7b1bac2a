import { describe, expect, test } from 'vitest';
import { createWordMatcher } from './word-matcher.ts';

const some = ['forbidden', 'a"b', '禁词', 'ab', 'zoë'];
const one = ['c+(d'];
const lists: readonly (readonly [string, readonly string[]])[] = [
  ['a few words', some],
  ['many words', [...some, ...Array.from({ length: 3_000 }, (_none, at) => `word-${at}-x`)]],
];

describe.each(lists)('%s', (_name, list) => {
  const words = createWordMatcher(list);
  const firstHit = (text: string) => {
    const bytes = Buffer.from(text);
    const hit = words?.next(bytes) ?? null;
    return hit === null ? null : [hit.word, bytes.toString('utf8', hit.start, hit.end)];
  };

  test.each([
    ['x forbidden y', ['forbidden', 'forbidden']],
    ['FORBidden', ['forbidden', 'FORBidden']],
    ['这是禁词', ['禁词', '禁词']],
    ['a"b', ['a"b', 'a"b']],
    [JSON.stringify('say a"b'), ['a"b', 'a\\"b']],
    ['end with ab', ['ab', 'ab']],
    ['forbiddeb', null],
    ['', null],
    ['a', null],
  ])('in %j: %j', (text, expected) => {
    expect(firstHit(text)).toEqual(expected);
    if (expected !== null) expect(words?.mayHold(Buffer.from(text))).toBe(true);
  });

  test('are found wherever they occur, as a plain search finds them', () => {
    const letters = 'abcdef nori-dwx0123';
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let round = 0; round < 300; round += 1) {
      const text = Array.from({ length: 60 }, () => letters[random(letters.length)]).join('');
      const expected = list.some((word) => text.includes(word));
      expect([text, firstHit(text) !== null]).toEqual([text, expected]);
      if (expected) expect(words?.mayHold(Buffer.from(text))).toBe(true);
    }
  });
});

test('few words are searched by a pattern, and their characters are literal', () => {
  const words = createWordMatcher(one);
  const holds = (text: string) => words?.mayHold(Buffer.from(text));
  expect(['x C+(D y', 'ccd', ''].map(holds)).toEqual([true, false, false]);
  const script = createWordMatcher(['禁词']);
  expect(script?.mayHold(Buffer.from('这是禁词'))).toBe(true);
});

test.each(['forbidden', 'for_idden'])(
  'the word %s is found wherever it occurs in a long text',
  (word) => {
    const words = createWordMatcher([word]);
    for (const length of [16_384, 32_768, 50_000]) {
      for (let at = length - 20; at <= length + 2; at += 1) {
        const text = Buffer.alloc(length + 40, 'x');
        expect(words?.mayHold(text)).toBe(false);
        text.write(word.replace('f', 'F'), at);
        expect([at, words?.mayHold(text)]).toEqual([at, true]);
      }
    }
  },
);

test.each([
  ['once', 'say test_word', true],
  ['in capital letters', 'say TEST_Word', true],
  ['at the start', 'test_word', true],
  ['without its start', 'st_word', false],
  ['without its end', 'test_wor', false],
  ['behind many others like it', `${'x_y '.repeat(4_000)}test_word`, true],
  ['not among many others like it', 'tes_word '.repeat(4_000), false],
])('a word with a rare character that is %s', (_where, text, isHeld) => {
  expect(createWordMatcher(['test_word'])?.mayHold(Buffer.from(text))).toBe(isHeld);
  expect(createWordMatcher(['test_word', 'other!'])?.mayHold(Buffer.from(text))).toBe(isHeld);
  expect(createWordMatcher(['test_word', 'other'])?.mayHold(Buffer.from(text))).toBe(isHeld);
});

test('no words are no matcher, blank lines are no words', () => {
  expect(createWordMatcher([])).toBeNull();
  expect(createWordMatcher([' ', ''])).toBeNull();
});

test('a word of one letter is one', () => {
  expect(createWordMatcher(['x'])?.next(Buffer.from('aXb'))).toEqual({
    word: 'x',
    start: 1,
    end: 2,
  });
});
