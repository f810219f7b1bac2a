import { expect, test } from 'vitest';
import { apiKeyHash, readApiKey } from './api-key.ts';

test.each([
  ['Bearer sk-abc', { key: 'abc', pin: null }],
  ['bearer sk-abc', { key: 'abc', pin: null }],
  ['BEARER   sk-abc ', { key: 'abc', pin: null }],
  ['sk-abc', { key: 'abc', pin: null }],
  ['abc', { key: 'abc', pin: null }],
  ['Bearer sk-abc-7', { key: 'abc', pin: '7' }],
  ['abc-7-8', { key: 'abc', pin: '7' }],
  ['abc-', { key: 'abc', pin: '' }],
])('%j names a key', (credential, expected) => {
  expect(readApiKey(credential)).toEqual(expected);
});

test.each(['', 'Bearer ', 'bearer   ', 'sk-', 'Bearer sk-', '-7'])(
  '%j names none',
  (credential) => {
    expect(readApiKey(credential)).toBeNull();
  },
);

test('the hash is SHA-256 in hexadecimal digits', () => {
  expect(apiKeyHash('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
