import { jsonObject } from '../shared/json.ts';
import { providerOf } from './catalogue.ts';

export type KeyProblem = Readonly<{ code: 'channel.key-form'; details: { form: string } }>;

const serviceAccount = (key: string): boolean => {
  const account = jsonObject(key);
  return (
    account !== null &&
    typeof account.client_email === 'string' &&
    typeof account.private_key === 'string'
  );
};

const hasParts = (key: string, separator: string, count: number): boolean => {
  const parts = key.split(separator);
  return parts.length === count && parts.every((part) => part.trim() !== '');
};

/** Says at save time what would only fail at the first request; the key is seen in the clear. */
export const keyProblem = (type: number, key: string): KeyProblem | null => {
  const form = providerOf(type)?.keyForm;
  if (form === undefined) return null;
  const problem: KeyProblem = { code: 'channel.key-form', details: { form } };
  if (form === 'service-account-json') return serviceAccount(key) ? null : problem;
  if (form === 'id.secret') return hasParts(key, '.', 2) ? null : problem;
  if (form === 'key-app-id') return null;
  return hasParts(key, '|', form.split('|').length) ? null : problem;
};

const oneKeyOfManyLines = 41;

/** One channel is made of each line; a service account is one key of many lines. */
export const keysOf = (type: number, text: string): readonly string[] =>
  (type === oneKeyOfManyLines ? [text] : text.split(/\r?\n/))
    .map((key) => key.trim())
    .filter((key) => key !== '');
