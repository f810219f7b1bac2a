import { readFileSync } from 'node:fs';
import { countTokens as exactCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as exactO200k } from 'gpt-tokenizer/encoding/o200k_base';
import {
  CL100K_TOKEN_SPLIT_REGEX,
  O200K_TOKEN_SPLIT_REGEX,
} from 'gpt-tokenizer/encodingParams/constants';
import { describe, expect, test } from 'vitest';
import { countTexts } from './encoder.ts';
import { roughTokens } from './rough-tokens.ts';
import { eachPiece, maxRunChars } from './text-pieces.ts';

const project = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Text of several kinds that the repository holds: prose, code, Chinese, JSON. */
const real = [
  ['English prose', project('README.md')],
  ['code', project('relay/protocol/scan-body.ts')],
  ['Chinese texts', project('console/locales/zh/channel.json')],
  ['JSON', project('package-lock.json').slice(0, 200_000)],
] as const;

/** Common Chinese letters in an order of no meaning, the same each time. */
const unbrokenChinese = (chars: number): string => {
  const common = [...new Set(project('console/locales/zh/channel.json').match(/[一-龥]/g))];
  let seed = 7;
  return Array.from({ length: chars }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return common[seed % common.length];
  }).join('');
};

const piecesOf = (text: string): readonly string[] => {
  const pieces: string[] = [];
  eachPiece(text, (piece) => pieces.push(piece));
  return pieces;
};

const within = (count: number, exact: number, share: number): void =>
  expect(Math.abs(count / exact - 1)).toBeLessThan(share);

describe('the count of a text', () => {
  test.each(real)('%s is within 1 % of the result of the tokenizer itself', async (_kind, text) => {
    const options = { disallowedSpecial: new Set<string>() };
    within(await countTexts([text], 'gpt-4o'), exactO200k(text, options), 0.01);
    within(await countTexts([text], 'claude-sonnet-4'), exactCl100k(text, options), 0.01);
  });

  test('Chinese without a break is within 1 % as well', async () => {
    const text = unbrokenChinese(2_000);
    within(await countTexts([text], 'gpt-4o'), exactO200k(text), 0.01);
  });

  test('what is too long to be counted whole is taken by samples of all of it', async () => {
    const half = 'The quick brown fox jumps over the lazy dog. '.repeat(20_000);
    const other = '12345678901234567890 '.repeat(40_000);
    const exact = exactO200k(half) + exactO200k(other);
    within(await countTexts([half, other], 'gpt-4o'), exact, 0.02);
  });

  test('special tokens in a text are text', async () => {
    expect(await countTexts(['a <|endoftext|> b <|im_start|>'], 'gpt-4o')).toBeGreaterThan(8);
  });
});

test.each(real)('%s takes about as many tokens as the estimate by letters', async (_kind, text) => {
  const exact = await countTexts([text], 'gpt-4o');
  // It sets quota aside while an answer runs; bills are counted.
  expect(roughTokens(text) / exact).toBeGreaterThan(0.6);
  expect(roughTokens(text) / exact).toBeLessThan(1.6);
});

describe('pieces of a text', () => {
  test.each([
    ['letters', 'x'.repeat(1_000)],
    ['Chinese', '中'.repeat(1_000)],
    ['emoji', '😀'.repeat(1_000)],
    ['blanks and signs', `${' '.repeat(500)}${'='.repeat(500)}`],
  ])('%s make up the text again and hold no long run', (_kind, text) => {
    const pieces = piecesOf(text);
    expect(pieces.join('')).toBe(text);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(2 * maxRunChars);
    // Cut between the halves of a character, a text would count for more.
    expect(pieces.every((piece) => !/^[\uDC00-\uDFFF]/.test(piece))).toBe(true);
  });

  test('words with breaks between them stay together', () => {
    const text = 'Plain words, and some more of them. '.repeat(20);
    expect(piecesOf(text)).toEqual([text]);
  });

  /** The longest run that a tokenizer merges: its time grows with the square of that. */
  const maxMergeIn = (text: string): number => {
    let max = 0;
    for (const piece of piecesOf(text)) {
      for (const pattern of [O200K_TOKEN_SPLIT_REGEX, CL100K_TOKEN_SPLIT_REGEX]) {
        for (const [run] of piece.matchAll(pattern)) max = Math.max(max, run.length);
      }
    }
    return max;
  };
  /** With the character before a run, and the second half of its last one. */
  const maxMerge = maxRunChars + 2;

  test.each([
    ...['a', 'Aa', 'é', '中', '中々', 'กำ', 'ｱＡ', 'ا\u064b', '𠀀', '𠀀中'],
    ...['=', '=…', '😀', '=😀', '。=', '.\u0301', '=\n/\n', '//\r\n', '\ud800'],
    ...[' ', ' \u2003', ' \u3000', '\n', ' \n', '\t\u00a0', '\u2028 ', '7', '٣'],
  ])('a run of %j is cut before it is merged', (unit) => {
    const text = unit.repeat(20_000 / unit.length);
    expect(piecesOf(text).join('')).toBe(text);
    expect(maxMergeIn(text)).toBeLessThanOrEqual(maxMerge);
  });

  test('runs of two characters of any kind are cut before they are merged', () => {
    const units = ['a', 'A', '中', '々', '\u0301', '=', '/', '…', '😀', "'", '7'];
    const spaces = [' ', '\n', '\r', '\u2003', '\u3000', '𠀀', '\ud800', '\udc00'];
    const all = [...units, ...spaces];
    const pairs = all.flatMap((one) => all.map((other) => (one + other).repeat(400)));
    for (const text of pairs) expect(maxMergeIn(text)).toBeLessThanOrEqual(maxMerge);
    expect(pairs).toHaveLength(361);
  });

  test('there are as many pieces as a text is long', () => {
    const text = unbrokenChinese(64_000);
    expect(piecesOf(text)).toHaveLength(1_000);
    expect(piecesOf(text + text)).toHaveLength(2_000);
  });
});
