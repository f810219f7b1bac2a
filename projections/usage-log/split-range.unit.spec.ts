import { expect, test } from 'vitest';
import { type Grain, type Part, restOf, splitRange } from './split-range.ts';

const hour: Grain = { unit: 3_600 };
const minute: Grain = { unit: 60 };
const both = [hour, minute];
const cut = (from: number, to: number, of = minute) => ({ from, to, grain: null, of });
const seconds = ({ from, to }: Part<Grain>): number => to - from + 1;

test('whole hours are in the middle, then whole minutes, then the seconds at both ends', () => {
  expect(splitRange({ from: 3_470, to: 12_010 }, both)).toEqual([
    cut(12_000, 12_010),
    { from: 10_800, to: 11_999, grain: minute },
    { from: 3_600, to: 10_799, grain: hour },
    { from: 3_480, to: 3_599, grain: minute },
    cut(3_470, 3_479),
  ]);
});

test('where there are no minutes, the cut hours are read by the second', () => {
  expect(splitRange({ from: 3_470, to: 12_010 }, [hour])).toEqual([
    cut(10_800, 12_010, hour),
    { from: 3_600, to: 10_799, grain: hour },
    cut(3_470, 3_599, hour),
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
    cut(7_200, 7_200),
    { from: 3_600, to: 7_199, grain: hour },
  ]);
  expect(splitRange({ from: 3_601, to: 7_199 }, both)).toEqual([
    { from: 3_660, to: 7_199, grain: minute },
    cut(3_601, 3_659),
  ]);
});

test('a range inside a minute, or over one border of it, is read by the second', () => {
  expect(splitRange({ from: 10, to: 20 }, both)).toEqual([cut(10, 20)]);
  expect(splitRange({ from: 3_570, to: 3_640 }, both)).toEqual([
    cut(3_600, 3_640),
    cut(3_570, 3_599),
  ]);
});

test('a range that ends where it begins is one second, one that ends before is nothing', () => {
  expect(splitRange({ from: 3_600, to: 3_600 }, both)).toEqual([cut(3_600, 3_600)]);
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
        if (part.grain === null) expect(part.to).toBeLessThan(part.from - (part.from % 60) + 60);
        else expect([part.from % part.grain.unit, seconds(part) % part.grain.unit]).toEqual([0, 0]);
      }
    }
  }
});

test('without any sums a range is read by the second', () => {
  expect(splitRange({ from: 5, to: 9_000 }, [])).toEqual([
    { from: 5, to: 9_000, grain: null, of: null },
  ]);
});

test('of an hour that is nearly whole, what it lacks at one end is the smaller side', () => {
  expect(restOf({ from: 3_600, to: 7_100 }, 3_600)).toEqual({ from: 7_101, to: 7_199 });
  expect(restOf({ from: 3_700, to: 7_199 }, 3_600)).toEqual({ from: 3_600, to: 3_699 });
});

test('half an hour, an hour cut at both ends, a whole one and more than one are read as they are', () => {
  expect(restOf({ from: 3_600, to: 5_399 }, 3_600)).toBeNull();
  expect(restOf({ from: 3_601, to: 7_198 }, 3_600)).toBeNull();
  expect(restOf({ from: 3_600, to: 7_199 }, 3_600)).toBeNull();
  expect(restOf({ from: 3_600, to: 7_200 }, 3_600)).toBeNull();
});
