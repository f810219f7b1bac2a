import { expect, test } from 'vitest';
import { type BoundExample, boundTermsOf } from '../../tests/support/bound-examples.ts';
import { reasoningEffortOf } from './reasoning-effort.ts';

const responses = { operation: 'responses' } as const;

/** A member that is so many bytes long. */
const long = (bytes: number) => {
  const empty = JSON.stringify({ summary: '', effort: 'low' }).length;
  return {
    ...responses,
    members: { reasoning: { summary: 'x'.repeat(bytes - empty), effort: 'low' } },
  };
};

test.each<[string, BoundExample, string | undefined]>([
  ['the body says it', { members: { reasoning_effort: 'minimal' } }, 'minimal'],
  [
    'the body wins over the name',
    { model: 'o3-high', members: { reasoning_effort: 'low' } },
    'low',
  ],
  ['the body says something else', { members: { reasoning_effort: 5 } }, undefined],
  [
    'the body says something else than the name',
    { model: 'o3-high', members: { reasoning_effort: 'x'.repeat(17) } },
    undefined,
  ],
  ['the name says it', { model: 'o3-mini-high' }, 'high'],
  ['the name of a family that does not think', { model: 'gpt-4o-high' }, undefined],
  ['nothing says it', { model: 'o3-mini' }, undefined],
  ['a response says it', { ...responses, members: { reasoning: { effort: 'low' } } }, 'low'],
  [
    'a response says it of something else',
    { ...responses, members: { x: { effort: 'low' } } },
    undefined,
  ],
  ['a response says nothing', { ...responses, model: 'o3-mini-high' }, undefined],
  ['a response thinks without saying', { ...responses, members: { reasoning: {} } }, undefined],
  ['a chat has the member of responses', { members: { reasoning: { effort: 'low' } } }, undefined],
  ['a response says it in 4,096 bytes', long(4_096), 'low'],
  ['a response says it in more bytes than are looked at', long(4_097), undefined],
])('the effort that is recorded where %s', (_name, example, expected) => {
  expect(reasoningEffortOf(boundTermsOf(example).call)).toBe(expected);
});
