import { expect, test } from 'vitest';
import { keyProblem, keysOf } from './key-form.ts';

test.each([
  [1, 'anything', null],
  [15, 'key|secret', null],
  [15, 'key', 'APIKey|SecretKey'],
  [16, 'idsecret', 'id.secret'],
  [18, 'password-of-the-http-interface', null],
  [18, 'a|b|', 'APPID|APISecret|APIKey'],
  [22, 'fastgpt-key', null],
  [23, 'a|b|c', null],
  [23, 'sk-1', null],
  [23, 'a|b', 'AppId|SecretId|SecretKey'],
  [26, 'id.secret', null],
  [26, 'newer-key', null],
  [26, 'a.b.c', 'id.secret'],
  [33, 'ak|sk|us-east-1', null],
  [33, 'bedrock-api-key|us-east-1', null],
  [33, 'ak', 'Ak|Sk|Region'],
  [41, '{"client_email":"a@b","private_key":"k"}', null],
  [41, '{}', '{"client_email": "…", "private_key": "…"}'],
  [50, 'ak', 'AccessKey|SecretKey'],
] as const)('a key of type %i, %s, is refused for its form: %s', (type, key, form) => {
  expect(keyProblem(type, key)?.details.form ?? null).toBe(form);
});

test('each line of a text is a key, but a service account is one document', () => {
  expect(keysOf(1, ' a \r\n\nb')).toEqual(['a', 'b']);
  expect(keysOf(41, '{\n}')).toEqual(['{\n}']);
});
