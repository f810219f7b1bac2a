import { expect, test } from 'vitest';
import { countFile } from './test-results.ts';

const result = (status: string, title: string, ...failureMessages: string[]) => ({
  status,
  fullName: title,
  failureMessages,
});

test('tests that a file declares as skipped are left out, with their title', () => {
  const assertionResults = [result('passed', 'a'), result('skipped', 'b (left out: no Docker)')];
  expect(countFile({ status: 'passed', message: '', assertionResults })).toEqual({
    passed: 1,
    failed: 0,
    failures: [],
    leftOut: ['b (left out: no Docker)'],
  });
});

test('tests whose engine did not start are failures', () => {
  const assertionResults = [result('skipped', 'a'), result('skipped', 'b')];
  const message = 'the container of nats:2 ended\nits log';
  expect(countFile({ status: 'failed', message, assertionResults })).toEqual({
    passed: 0,
    failed: 2,
    failures: [': the container of nats:2 ended (2 tests did not run)'],
    leftOut: [],
  });
});

test('a file that cannot be read is one failure', () => {
  const message = 'SyntaxError: no export';
  expect(countFile({ status: 'failed', message, assertionResults: [] }).failed).toBe(1);
});

test('a clean-up that fails is a failure next to the tests that passed', () => {
  const assertionResults = [result('passed', 'a'), result('failed', 'b', 'Error: 1\nat x')];
  const counted = countFile({ status: 'failed', message: 'Error: 404', assertionResults });
  expect(counted).toMatchObject({ passed: 1, failed: 2 });
  expect(counted.failures).toEqual([' > b: Error: 1', ': Error: 404']);
});
