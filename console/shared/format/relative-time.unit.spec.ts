import { expect, test } from 'vitest';
import { relativeTime } from './relative-time.ts';

const at = 1_700_000_000;

test('under a day it is how long ago, in the language of the page', () => {
  expect(relativeTime(at, at + 5 * 60 + 59, 'en')).toBe('5 min. ago');
  expect(relativeTime(at, at + 7200, 'zh')).toBe('2小时前');
  expect(relativeTime(at, at + 86_399, 'en')).toBe('23 hr. ago');
});

test('what is a day old has a date instead', () => {
  expect(relativeTime(at, at + 86_400, 'en')).toBeNull();
});
