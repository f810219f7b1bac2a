import { isRecord } from '../../../shared/local-values.ts';
import { type ChatFault, chatFault } from './chat-list.ts';
import type { OptionKey, SettingField } from './option-fields.ts';

/** Least and most of numbers that have bounds; the server holds the same. */
const limits: Partial<Readonly<Record<OptionKey, Readonly<{ min: number; max?: number }>>>> = {
  DataExportInterval: { min: 1 },
  ChannelDisableThreshold: { min: 0 },
  QuotaRemindThreshold: { min: 0 },
  QuotaForNewUser: { min: 0 },
  PreConsumedQuota: { min: 0 },
  QuotaForInviter: { min: 0 },
  QuotaForInvitee: { min: 0 },
  RetryTimes: { min: 0 },
  ModelRequestRateLimitDurationMinutes: { min: 0 },
  ModelRequestRateLimitCount: { min: 0 },
  ModelRequestRateLimitSuccessCount: { min: 1 },
  'general_setting.ping_interval_seconds': { min: 1 },
  'gemini.thinking_adapter_budget_tokens_percentage': { min: 0.1, max: 1 },
  'claude.thinking_adapter_budget_tokens_percentage': { min: 0.1, max: 1 },
};

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

const numberProblem = (key: OptionKey, text: string): Problem | null => {
  if (!/^-?\d+(\.\d+)?$/.test(text.trim())) return { text: 'number-wrong' };
  const limit = limits[key];
  if (limit === undefined) return null;
  const { min, max } = limit;
  const value = Number(text);
  if (max !== undefined)
    return value < min || value > max ? { text: 'number-range', min, max } : null;
  return value < min ? { text: 'number-low', min } : null;
};

export const problemOf = ([key, kind]: SettingField, text: string): Problem | null => {
  if (kind === 'json') return jsonProblem(key, text);
  if (kind === 'chats') return chatsProblem(text);
  return kind === 'number' ? numberProblem(key, text) : null;
};

/** Addresses that others add their own paths to. */
const bases: readonly OptionKey[] = [
  'ServerAddress',
  'WorkerUrl',
  'PayAddress',
  'CustomCallbackAddress',
  'WeChatServerAddress',
];

/** As it goes to the server: no blank ends, no slash behind an address. */
export const wireValue = (key: OptionKey, text: string): string => {
  const value = text.trim();
  return bases.includes(key) ? value.replace(/\/+$/, '') : value;
};

const domain = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;
export const isDomain = (text: string): boolean => domain.test(text);
