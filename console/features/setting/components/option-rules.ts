import { isRecord } from '../../../shared/local-values.ts';
import type { OptionRule } from '../api/options.ts';
import { type ChatFault, chatFault } from './chat-list.ts';
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
    | ChatFault['text'];
  min?: number;
  max?: number;
  /** Which entry of a list, from 1. */
  at?: number;
}>;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Group → [requests ≥ 0, completed ≥ 1]. */
const areRates = (value: unknown): boolean =>
  isRecord(value) &&
  Object.values(value).every(
    (pair) =>
      Array.isArray(pair) &&
      pair.length === 2 &&
      pair.every(Number.isSafeInteger) &&
      Number(pair[0]) >= 0 &&
      Number(pair[1]) >= 1,
  );

const jsonProblem = (key: OptionKey, text: string): Problem | null => {
  const value = parsed(text);
  if (value === undefined) return { text: 'json-wrong' };
  if (key === 'ModelRequestRateLimitGroup' && !areRates(value)) return { text: 'rates-wrong' };
  return null;
};

const chatsProblem = (text: string): Problem | null => {
  const value = parsed(text);
  if (value === undefined) return { text: 'json-wrong' };
  if (!Array.isArray(value)) return { text: 'chats-wrong' };
  const fault = chatFault(text);
  return fault && { text: fault.text, at: fault.at };
};

/** Addresses that the server puts in front of its own paths, or calls. */
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

/** Early feedback beside the field; the server checks every write again. */
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
