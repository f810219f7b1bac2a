import { expect, test } from 'vitest';
import { type Grain, type Part, splitRange } from './split-range.ts';

const hour: Grain = { unit: 3_600 };
const minute: Grain = { unit: 60 };
const both = [hour, minute];
const seconds = ({ from, to }: Part<Grain>): number => to - from + 1;

test('whole hours are in the middle, then whole minutes, then the seconds at both ends', () => {
  expect(splitRange({ from: 3_470, to: 12_010 }, both)).toEqual([
    { from: 12_000, to: 12_010, grain: null },
    { from: 10_800, to: 11_999, grain: minute },
    { from: 3_600, to: 10_799, grain: hour },
    { from: 3_480, to: 3_599, grain: minute },
    { from: 3_470, to: 3_479, grain: null },
  ]);
});

test('where there are no minutes, the cut hours are read by the second', () => {
  expect(splitRange({ from: 3_470, to: 12_010 }, [hour])).toEqual([
    { from: 10_800, to: 12_010, grain: null },
    { from: 3_600, to: 10_799, grain: hour },
    { from: 3_470, to: 3_599, grain: null },
  ]);
});

test('a range that begins and ends on the border of an hour has no ends that are cut', () => {
  expect(splitRange({ from: 3_600, to: 7_199 }, both)).toEqual([
    { from: 3_600, to: 7_199, grain: hour },
  ]);
});

test('a range from minute to minute has no seconds', () => {
  expect(splitRange({ from: 3_540, to: 7_259 }, both)).toEqual([
    { from: 7_200, to: 7_259, grain: minute },
    { from: 3_600, to: 7_199, grain: hour },
    { from: 3_540, to: 3_599, grain: minute },
  ]);
});

test('one second more or less than an hour stays a matter of seconds and minutes', () => {
  expect(splitRange({ from: 3_600, to: 7_200 }, both)).toEqual([
    { from: 7_200, to: 7_200, grain: null },
    { from: 3_600, to: 7_199, grain: hour },
  ]);
  expect(splitRange({ from: 3_601, to: 7_199 }, both)).toEqual([
    { from: 3_660, to: 7_199, grain: minute },
    { from: 3_601, to: 3_659, grain: null },
  ]);
});

test('a range inside a minute, or over one border of it, is read by the second', () => {
  expect(splitRange({ from: 10, to: 20 }, both)).toEqual([{ from: 10, to: 20, grain: null }]);
  expect(splitRange({ from: 3_570, to: 3_640 }, both)).toEqual([
    { from: 3_570, to: 3_640, grain: null },
  ]);
});

test('a range that ends where it begins is one second, one that ends before is nothing', () => {
  expect(splitRange({ from: 3_600, to: 3_600 }, both)).toEqual([
    { from: 3_600, to: 3_600, grain: null },
  ]);
  expect(splitRange({ from: 3_600, to: 3_599 }, both)).toEqual([]);
});

test('every second of a range is in one part, newest first, and units are whole', () => {
  for (let from = 0; from < 8_000; from += 487) {
    for (let to = from; to < 16_000; to += 651) {
      const parts = splitRange({ from, to }, both);
      expect(parts.reduce((sum, part) => sum + seconds(part), 0)).toBe(to - from + 1);
      expect(parts.at(0)?.to).toBe(to);
      expect(parts.at(-1)?.from).toBe(from);
      for (const [i, part] of parts.entries()) {
        expect(parts[i + 1]?.to ?? from - 1).toBe(part.from - 1);
        if (part.grain === null) expect(seconds(part)).toBeLessThan(120);
        else expect([part.from % part.grain.unit, seconds(part) % part.grain.unit]).toEqual([0, 0]);
      }
    }
  }
});
