import { describe, expect, test } from 'vitest';
import type { OptionRules } from '../api/options.ts';
import { secretsToEnter, withSecrets } from './setting-changes.ts';

const rules: OptionRules = new Map([
  ['SMTPServer', { writer: 100, secret: 'SMTPToken' }],
  ['SMTPAccount', { writer: 100, secret: 'SMTPToken' }],
  ['SMTPSSLEnabled', { writer: 100, secret: 'SMTPToken' }],
  ['SMTPFrom', { writer: 100 }],
]);
const to = (key: string, value: string) => ({ key, value });

describe('a stored secret is required', () => {
  test('when where it goes is changed, until it is there', () => {
    const changes = [to('SMTPServer', 'other')];
    expect(secretsToEnter(changes, rules, {})).toEqual(['SMTPToken']);
    expect(secretsToEnter(changes, rules, { SMTPToken: ' ' })).toEqual(['SMTPToken']);
    expect(secretsToEnter(changes, rules, { SMTPToken: 'x' })).toEqual([]);
  });
  test('not when it goes nowhere any more, nor when nothing about it changes', () => {
    expect(secretsToEnter([to('SMTPServer', 'o'), to('SMTPAccount', '')], rules, {})).toEqual([]);
    expect(secretsToEnter([to('SMTPFrom', 'a@b')], rules, {})).toEqual([]);
    expect(secretsToEnter([to('SMTPSSLEnabled', 'true')], rules, {})).toEqual([]);
    expect(secretsToEnter([to('SMTPSSLEnabled', 'false')], rules, {})).toEqual(['SMTPToken']);
  });
});

test('a secret is sent with its target, and alone where it has none', () => {
  const secret = to('SMTPToken', 'x');
  expect(withSecrets([to('SMTPServer', 'o'), to('SMTPFrom', 'f'), secret], rules, ' why ')).toEqual(
    [
      { key: 'SMTPServer', value: 'o', secret: 'x', reason: 'why' },
      { key: 'SMTPFrom', value: 'f', reason: 'why' },
    ],
  );
  expect(withSecrets([to('SMTPFrom', 'f'), secret], rules, '')).toEqual([
    to('SMTPFrom', 'f'),
    secret,
  ]);
});
