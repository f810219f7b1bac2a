import { expect, test } from 'vitest';
import { diffOf } from './diff.ts';

test('of a map only the members that changed are shown', () => {
  const before = '{"gpt-4o":1.25,"o1":7.5}';
  const after = '{"gpt-4o":1.5,"o1":7.5,"o3":5}';
  expect(diffOf({ field: 'ModelRatio', before, after })).toEqual([
    { sign: '-', text: 'gpt-4o: 1.25' },
    { sign: '+', text: 'gpt-4o: 1.5' },
    { sign: '+', text: 'o3: 5' },
  ]);
});

test('what was set for the first time has nothing before it', () => {
  expect(diffOf({ field: 'tag', before: '', after: 'spare' })).toEqual([
    { sign: '+', text: 'spare' },
  ]);
});

test('text that only resembles JSON is shown unchanged', () => {
  expect(diffOf({ field: 'Notice', before: null, after: '{hello' })).toEqual([
    { sign: '+', text: '{hello' },
  ]);
});
