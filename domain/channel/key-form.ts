import { providerOf } from './catalogue.ts';
import { keyForms } from './key-forms.ts';

export type KeyProblem = Readonly<{ code: 'channel.key-form'; details: { form: string } }>;

/** A key of the wrong form fails when it is saved rather than at its first call. */
export const keyProblem = (type: number, key: string): KeyProblem | null => {
  const form = providerOf(type)?.keyForm;
  if (form === undefined || keyForms[form].fits(key)) return null;
  return { code: 'channel.key-form', details: { form: keyForms[form].hint } };
};

/** The key is one JSON document, whose line breaks separate nothing. */
export const isKeyOfManyLines = (type: number): boolean =>
  providerOf(type)?.keyForm === 'service-account-json';

/** The keys in a text: one on each line. */
export const keysOf = (type: number, text: string): readonly string[] =>
  (isKeyOfManyLines(type) ? [text] : text.split(/\r?\n/))
    .map((key) => key.trim())
    .filter((key) => key !== '');
