import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  add,
  compare,
  decimalTextOf,
  formatDecimal,
  isDecimalText,
  multiply,
  parseDecimal,
  roundHalfAwayFromZero,
} from './decimal.ts';

describe('a decimal', () => {
  test.each([
    ['1', '1'],
    ['-0.50', '-0.5'],
    ['1e-7', '0.0000001'],
    ['1.5E3', '1500'],
    ['-0', '0'],
    ['000.100', '0.1'],
  ])('%s is written %s', (text, written) => {
    expect(formatDecimal(parseDecimal(text))).toBe(written);
  });

  test.each(['', ' 1', '1.', '.5', 'NaN', '0x10', '1e9999', '--1'])('%j is none', (text) => {
    expect(isDecimalText(text)).toBe(false);
    expect(() => parseDecimal(text)).toThrow(RangeError);
  });

  test('reads every number that JSON can hold back to the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(decimalTextOf(value))).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  test.each([
    ['0.5', 1n],
    ['-0.5', -1n],
    ['0.49999999999999999999', 0n],
    ['2.5', 3n],
    ['-2.4', -2n],
  ])('%s rounds to %s, halves away from zero', (text, whole) => {
    expect(roundHalfAwayFromZero(parseDecimal(text))).toBe(whole);
  });

  test('adds, multiplies and compares exactly', () => {
    const tenth = parseDecimal('0.1');
    expect(formatDecimal(add(tenth, parseDecimal('0.2')))).toBe('0.3');
    expect(formatDecimal(multiply(tenth, parseDecimal('-0.03')))).toBe('-0.003');
    expect(compare(parseDecimal('1.50'), parseDecimal('1.5'))).toBe(0);
    expect(compare(tenth, parseDecimal('0.11'))).toBe(-1);
  });
});
