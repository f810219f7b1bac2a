import { expect, test } from 'vitest';
import { ConfigError } from './config.ts';
import { orRefused } from './engine-refusals.ts';

const messageOf = async (
  variable: 'DATABASE_URL' | 'EVENTSTORE_URL',
  error: unknown,
): Promise<string> => {
  const refusal: unknown = await orRefused(variable, () => Promise.reject(error)).catch(
    (caught: unknown) => caught,
  );
  return refusal instanceof ConfigError ? refusal.message : 'passed on';
};
const anError = (fields: object, message = 'user tollgate, password hunter2'): Error =>
  Object.assign(new Error(message), fields);

test.each([
  ['DATABASE_URL', { code: '28P01' }, 'the server refuses the user with this password'],
  ['DATABASE_URL', { code: '28000' }, 'the server refuses the user, or a connection without TLS'],
  ['EVENTSTORE_URL', { type: 'access-denied' }, 'the server refuses the user with this password'],
  ['EVENTSTORE_URL', { code: 16 }, 'the server refuses the user with this password'],
  [
    'DATABASE_URL',
    { code: 'CERT_HAS_EXPIRED' },
    "the server's certificate is not accepted: it has expired",
  ],
  [
    'EVENTSTORE_URL',
    { cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' } },
    "the server's certificate is not accepted: it is for another host name",
  ],
] as const)(
  '%s: %j becomes one line without the text of the server',
  async (name, fields, expected) => {
    expect(await messageOf(name, anError(fields))).toBe(`configuration: ${name}: ${expected}`);
  },
);

test('a database without TLS is distinguished from one that is not there', async () => {
  const plain = new Error('The server does not support SSL connections');
  expect(await messageOf('DATABASE_URL', plain)).toMatch(/the server offers no TLS/);
  expect(await messageOf('DATABASE_URL', anError({ code: 'ECONNREFUSED' }))).toBe('passed on');
});
