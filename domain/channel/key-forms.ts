import { jsonObject } from '../shared/json.ts';

type Form = Readonly<{
  /** Shown to the operator, the same in every language. */
  hint: string;
  fits: (key: string) => boolean;
}>;

const inParts =
  (separator: string, ...counts: readonly number[]) =>
  (key: string): boolean => {
    const parts = key.split(separator);
    return counts.includes(parts.length) && parts.every((part) => part.trim() !== '');
  };

const isServiceAccount = (key: string): boolean => {
  const account = jsonObject(key);
  return typeof account?.client_email === 'string' && typeof account.private_key === 'string';
};

const isIdAndSecret = inParts('.', 2);

/** How the keys of a provider are written. */
export const keyForms = {
  'api-key|secret': { hint: 'APIKey|SecretKey', fits: inParts('|', 2) },
  /** A key in one part is for the provider's HTTP interface. */
  'app-id|secret|key': { hint: 'APPID|APISecret|APIKey', fits: inParts('|', 1, 3) },
  'app-id|secret-id|secret-key': { hint: 'AppId|SecretId|SecretKey', fits: inParts('|', 1, 3) },
  /** An API key of Bedrock replaces the first two parts. */
  'access-key|secret|region': { hint: 'Ak|Sk|Region', fits: inParts('|', 2, 3) },
  'access-key|secret': { hint: 'AccessKey|SecretKey', fits: inParts('|', 2) },
  'id.secret': { hint: 'id.secret', fits: isIdAndSecret },
  /** Newer keys have no dot. */
  'plain-or-id.secret': {
    hint: 'id.secret',
    fits: (key) => !key.includes('.') || isIdAndSecret(key),
  },
  'key-app-id': { hint: 'APIKey-AppId', fits: () => true },
  /** One document of many lines. */
  'service-account-json': {
    hint: '{"client_email": "…", "private_key": "…"}',
    fits: isServiceAccount,
  },
} as const satisfies Readonly<Record<string, Form>>;

export type KeyForm = keyof typeof keyForms;
