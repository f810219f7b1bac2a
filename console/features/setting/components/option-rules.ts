import type { OptionRule } from '../api/options.ts';
import { type ChatFault, chatFault } from './chat-list.ts';
import { type JsonFault, jsonFault } from './json-fault.ts';
import { type LineFault, lineFault, lineName, readTable, tableOf } from './json-tables.ts';
import type { OptionKey, SettingField } from './option-fields.ts';

/** Stricter than the server, which also takes -1 for "no limit"; the form offers 0 alone. */
const formMinimum: Partial<Readonly<Record<OptionKey, number>>> = { ModelRequestRateLimitCount: 0 };

export type Problem = Readonly<{
  text:
    | 'json-wrong'
    | 'number-wrong'
    | 'number-low'
    | 'number-range'
    | 'rates-wrong'
    | 'secret-again'
    | 'address-wrong'
    | 'host-wrong'
    | 'chats-wrong'
    | 'shape-object'
    | 'shape-list'
    | 'shape-limits'
    | LineFault['text']
    | ChatFault['text'];
  min?: number;
  max?: number;
  /** Which entry of a list, from 1. */
  at?: number;
  /** Of a JSON text: where it breaks off, and what belongs there. */
  line?: number;
  expected?: JsonFault['expected'];
  /** Which entry of a table. */
  name?: string;
}>;

const unreadable = (text: string): Problem | null => {
  const fault = jsonFault(text);
  return fault && { text: 'json-wrong', ...fault };
};

const shapeTexts = {
  object: 'shape-object',
  list: 'shape-list',
  rates: 'rates-wrong',
  limits: 'shape-limits',
} as const;

const jsonProblem = (key: OptionKey, text: string): Problem | null => {
  const wrong = unreadable(text);
  const table = tableOf(key);
  if (wrong !== null || table === null) return wrong;
  const lines = readTable(table, text);
  // Headers may be lists as well, which the server checks.
  if (lines === null) return table.shape === 'headers' ? null : { text: shapeTexts[table.shape] };
  const fault = lineFault(table, lines);
  return fault && { text: fault.text, name: lineName(table, lines[fault.line] ?? []) };
};

const chatsProblem = (text: string): Problem | null => {
  const wrong = unreadable(text);
  if (wrong !== null) return wrong;
  if (!Array.isArray(JSON.parse(text))) return { text: 'chats-wrong' };
  const fault = chatFault(text);
  return fault && { text: fault.text, at: fault.at };
};

/** Addresses that the server prefixes to its own paths, or calls. */
const addressKeys: readonly OptionKey[] = ['ServerAddress', 'WorkerUrl'];
const isWebAddress = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
};
/** A name or an address, without scheme, port or path. */
const host =
  /^([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*|\[[0-9a-f:]+\]|[0-9a-f]*:[0-9a-f:]+)$/i;

/** Empty is allowed: it switches off what needs the option. */
const textProblem = (key: OptionKey, text: string): Problem | null => {
  if (text === '') return null;
  if (addressKeys.includes(key) && !isWebAddress(text)) return { text: 'address-wrong' };
  return key === 'SMTPServer' && !host.test(text) ? { text: 'host-wrong' } : null;
};

type Bounds = Pick<OptionRule, 'min' | 'max'>;
const numberProblem = (key: OptionKey, text: string, bounds: Bounds): Problem | null => {
  if (!/^-?\d+(\.\d+)?$/.test(text.trim())) return { text: 'number-wrong' };
  const value = Number(text);
  const { min = value, max = value } = bounds;
  const minimum = formMinimum[key] ?? min;
  if (value < minimum) return { text: 'number-low', min: minimum };
  return value > max ? { text: 'number-range', min: minimum, max } : null;
};

/** Early feedback next to the field; the server checks every write again. */
export const problemOf = (
  [key, kind]: SettingField,
  text: string,
  bounds: Bounds = {},
): Problem | null => {
  if (kind === 'json') return jsonProblem(key, text);
  if (kind === 'chats') return chatsProblem(text);
  if (kind === 'number') return numberProblem(key, text, bounds);
  return kind === 'text' ? textProblem(key, text.trim()) : null;
};

const domain = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;
export const isDomain = (text: string): boolean => domain.test(text);
