import { expect, test } from 'vitest';
import { rankMatches } from './multi-picker.tsx';

test('the name that was typed precedes names that only contain it', () => {
  const names = ['chatgpt-4o', 'gpt-4o-mini', 'gpt-4o', 'o1'];
  expect(rankMatches(names, 'gpt-4o')).toEqual(['gpt-4o', 'gpt-4o-mini', 'chatgpt-4o']);
});
