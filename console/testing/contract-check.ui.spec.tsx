import { expect, test } from 'vitest';
import { checkAnswer, checkBody, takeContractProblems } from './contract-check.ts';

const noQuery = new URLSearchParams();
const answer = (data: unknown) => ({ success: true, message: '', data });
const problemsOf = (act: () => void): number => {
  act();
  return takeContractProblems().length;
};

test('a stubbed answer may be incomplete', () => {
  const page = answer({ items: [{ id: 1, username: 'ada' }], total: 1 });
  expect(problemsOf(() => checkAnswer('GET /api/user/', page))).toBe(0);
  expect(problemsOf(() => checkAnswer('GET /api/user/7', answer({ id: 7 })))).toBe(0);
});

test('a route with a fixed path is not taken for one with a parameter', () => {
  expect(problemsOf(() => checkAnswer('GET /api/user/token', answer('a system token')))).toBe(0);
});

test('a field that the contract does not have, or of another type, is found', () => {
  const row = (changes: object) => answer({ items: [{ id: 1, ...changes }] });
  expect(problemsOf(() => checkAnswer('GET /api/user/', row({ user_name: 'ada' })))).toBe(1);
  expect(problemsOf(() => checkAnswer('GET /api/user/', row({ quota: '12' })))).toBe(1);
  expect(problemsOf(() => checkAnswer('GET /api/user/7', answer({ id: '7' })))).toBe(1);
});

test('a body that the server would refuse is found', () => {
  const status = new URLSearchParams('status_only=true');
  const code = { name: 'spring', quota: 5, count: 1 };
  const post = 'POST /api/redemption/';
  const put = 'PUT /api/redemption/';
  expect(problemsOf(() => checkBody(post, noQuery, code))).toBe(0);
  expect(problemsOf(() => checkBody(post, noQuery, { ...code, quota: '5' }))).toBe(1);
  expect(problemsOf(() => checkBody(put, status, { id: 1, status: 2 }))).toBe(0);
  expect(problemsOf(() => checkBody(put, status, { id: 1, status: 3 }))).toBe(1);
});
