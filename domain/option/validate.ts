import { decimalTextOf, isDecimalText } from '../shared/decimal.ts';
import { jsonValue } from '../shared/json.ts';
import type { AddressForm, JsonShape, OptionDefinition } from './definition.ts';
import { shapeProblem } from './json-shapes.ts';
import { isOptionKey, optionTable } from './table.ts';
import { type AddressProblem, addressProblem, isHost } from './web-address.ts';

export type OptionProblemCode =
  | 'option.unknown'
  | 'option.secret'
  | 'option.not-a-switch'
  | 'option.not-a-number'
  | 'option.not-whole'
  | 'option.out-of-range'
  | 'option.too-long'
  | AddressProblem
  | 'option.not-a-host'
  | 'option.not-a-mailbox'
  | 'option.not-a-choice'
  | 'option.not-a-domain'
  | 'option.not-json'
  | 'option.wrong-shape';

export type OptionCheck =
  | Readonly<{ ok: true; value: string }>
  | Readonly<{
      ok: false;
      code: OptionProblemCode;
      details: Readonly<Record<string, string | number>>;
    }>;

const fine = (value: string): OptionCheck => ({ ok: true, value });
const wrong = (
  code: OptionProblemCode,
  details: Readonly<Record<string, string | number>> = {},
): OptionCheck => ({ ok: false, code, details });

const maxLength = 1_000_000;

const checkNumber = (text: string, { kind, min, max }: NumberDefinition): OptionCheck => {
  if (!isDecimalText(text)) return wrong('option.not-a-number');
  const value = Number(text);
  if (kind === 'int' && !Number.isSafeInteger(value)) return wrong('option.not-whole');
  if (value < min || value > max) return wrong('option.out-of-range', { min, max });
  return fine(decimalTextOf(value));
};
type NumberDefinition = Extract<OptionDefinition, { kind: 'int' | 'number' }>;

const checkAddress = (text: string, form: AddressForm): OptionCheck => {
  const address = text.replace(/\/+$/, '');
  const problem = address === '' ? null : addressProblem(address, form);
  return problem === null ? fine(address) : wrong(problem);
};

const checkHost = (text: string): OptionCheck =>
  text === '' || isHost(text) ? fine(text) : wrong('option.not-a-host');

const checkMailbox = (text: string): OptionCheck =>
  text === '' || /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(text)
    ? fine(text)
    : wrong('option.not-a-mailbox');

const distinct = (entries: readonly string[]): readonly string[] => [
  ...new Set(entries.map((entry) => entry.trim().toLowerCase()).filter((entry) => entry !== '')),
];

const domainName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

const checkDomains = (text: string): OptionCheck => {
  const entries = distinct(text.split(','));
  const bad = entries.find((entry) => !domainName.test(entry));
  return bad === undefined
    ? fine(entries.join(','))
    : wrong('option.not-a-domain', { entry: bad.slice(0, 100) });
};

/** Stored compactly, so that another layout of the same thing is no change. */
const checkJson = (text: string, shape: JsonShape): OptionCheck => {
  const value = jsonValue(text);
  if (value === undefined) return wrong('option.not-json');
  const place = shapeProblem(shape, value);
  return place === null
    ? fine(JSON.stringify(value))
    : wrong('option.wrong-shape', { place: place.slice(0, 100) });
};

const check = (text: string, definition: OptionDefinition): OptionCheck => {
  switch (definition.kind) {
    case 'bool': {
      const flag = text.toLowerCase();
      return flag === 'true' || flag === 'false' ? fine(flag) : wrong('option.not-a-switch');
    }
    case 'int':
    case 'number':
      return checkNumber(text, definition);
    case 'text':
      return text.length <= definition.maxLength
        ? fine(text)
        : wrong('option.too-long', { max: definition.maxLength });
    case 'address':
      return checkAddress(text, definition.form);
    case 'host':
      return checkHost(text);
    case 'mailbox':
      return checkMailbox(text);
    case 'choice':
      return definition.choices.includes(text)
        ? fine(text)
        : wrong('option.not-a-choice', { choices: definition.choices.join(', ') });
    case 'domains':
      return checkDomains(text);
    case 'lines':
      return fine(distinct(text.split(/\r?\n/)).join('\n'));
    case 'json':
      return checkJson(text, definition.shape);
    case 'secret':
      return wrong('option.secret');
  }
};

/** The value as it is stored, or what is wrong with it; nothing bad ever reaches the log. */
export const validateOption = (key: string, value: string): OptionCheck => {
  if (!isOptionKey(key)) return wrong('option.unknown');
  if (value.length > maxLength) return wrong('option.too-long', { max: maxLength });
  return check(value.trim(), optionTable[key]);
};
