import { expect, test } from 'vitest';
import { logFilterQuery, pageQuery } from './query.ts';

test('a NUL in a filter matches nothing and never reaches the database', () => {
  const { username } = logFilterQuery.parse({ username: 'a\0b' });
  expect(username).toBe('a\ufffdb');
});

test('unreadable numbers count as not sent', () => {
  expect(pageQuery.parse({ p: 'NaN', page_size: '' })).toEqual({ p: 1, page_size: 10 });
  expect(logFilterQuery.parse({ start_timestamp: 'x', group: 'null' })).toMatchObject({
    start_timestamp: 0,
    group: '',
  });
});
