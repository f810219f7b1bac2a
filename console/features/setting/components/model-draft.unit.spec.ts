import { expect, test } from 'vitest';
import { draftOf, draftProblem, emptyDraft, rowOf, switchBy } from './model-draft.ts';

const priced = { ...emptyDraft, name: 'm', by: 'price' as const, input: '2.5', output: '10' };

test('prices become ratios: half the input price, and output over input', () => {
  expect(rowOf(priced)).toEqual({ name: 'm', price: '', ratio: '1.25', completion: '4' });
  expect(rowOf({ ...priced, input: '0.15', output: '0.6' }).ratio).toBe('0.075');
  const back = switchBy(switchBy(priced, 'ratio'), 'price');
  expect([back.input, back.output]).toEqual(['2.5', '10']);
});

test('a price for each call leaves no ratios, and ratios leave no price', () => {
  const row = { name: 'm', price: '', ratio: '3', completion: '2' };
  expect(rowOf({ ...draftOf(row), mode: 'call', price: '0.1' })).toEqual({
    name: 'm',
    price: '0.1',
    ratio: '',
    completion: '',
  });
  const call = draftOf({ name: 'm', price: '0.1', ratio: '', completion: '' });
  expect(call.mode).toBe('call');
  expect(rowOf({ ...call, mode: 'token', ratio: '1' }).price).toBe('');
});

test('names stay single, prices above zero, and numbers numbers', () => {
  const problem = (changes: object, known: readonly string[] = []) =>
    draftProblem({ ...emptyDraft, name: 'm', ...changes }, known)?.text;
  expect(problem({ name: ' ' })).toBe('visual-name-missing');
  expect(problem({}, ['m'])).toBe('visual-exists');
  expect(problem({ mode: 'call', price: '0' })).toBe('visual-zero');
  expect(problem({ mode: 'call', price: '' })).toBe('visual-zero');
  expect(problem({ by: 'price', input: '0' })).toBe('visual-input-zero');
  expect(problem({ by: 'price', output: '3' })).toBe('visual-input-zero');
  expect(problem({ ratio: 'many' })).toBe('number-wrong');
  expect(problem({ ratio: '1.5' })).toBeUndefined();
  expect(draftProblem({ ...emptyDraft, name: 'm', completion: 'x' }, [])?.field).toBe('completion');
});
