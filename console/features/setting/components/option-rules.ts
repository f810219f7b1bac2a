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
  return kind === 'number' ? numberProblem(key, text, bounds) : null;
};

const domain = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;
export const isDomain = (text: string): boolean => domain.test(text);
