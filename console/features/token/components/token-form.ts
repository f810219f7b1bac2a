import { nowSeconds } from '../../../shared/format/time.ts';
import type { TokenForm, TokenRow } from '../api/tokens.ts';

export const never = -1;

export const blankToken: TokenForm = {
  name: '',
  remain_quota: 500_000,
  expired_time: never,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
  requests_per_minute: 0,
  tokens_per_minute: 0,
  concurrent_requests: 0,
};

export const formOf = (token: TokenRow): TokenForm => ({
  name: token.name,
  remain_quota: token.remain_quota,
  expired_time: token.expired_time,
  unlimited_quota: token.unlimited_quota,
  model_limits_enabled: token.model_limits_enabled,
  model_limits: token.model_limits,
  allow_ips: token.allow_ips,
  group: token.group,
  requests_per_minute: token.requests_per_minute,
  tokens_per_minute: token.tokens_per_minute,
  concurrent_requests: token.concurrent_requests,
});

/** Limits of calls; 0 is none. */
export const callLimits = [
  'requests_per_minute',
  'tokens_per_minute',
  'concurrent_requests',
] as const;
export type CallLimit = (typeof callLimits)[number];

export const namesOf = (comma: string): readonly string[] =>
  comma.split(',').filter((name) => name !== '');

const hour = 3600;
/** Seconds from now; a month is 30 days. */
export const lifetimes = {
  'one-hour': hour,
  'one-day': 24 * hour,
  'one-month': 720 * hour,
} as const;
export type Lifetime = keyof typeof lifetimes;

export const expiryAfter = (lifetime: Lifetime): number => nowSeconds() + lifetimes[lifetime];

/** In USD at the default price of a unit; the server keeps units. */
export const quotaPresets: readonly Readonly<{ usd: number; units: number }>[] = [
  { usd: 1, units: 500_000 },
  { usd: 10, units: 5_000_000 },
  { usd: 50, units: 25_000_000 },
  { usd: 100, units: 50_000_000 },
  { usd: 500, units: 250_000_000 },
  { usd: 1000, units: 500_000_000 },
];

export const countPresets = [1, 10, 20, 30, 100] as const;

export type TokenProblem =
  | 'name-missing'
  | 'expiry-wrong'
  | 'quota-wrong'
  | 'count-wrong'
  | CallLimit;

export const isCallLimit = (problem: TokenProblem): problem is CallLimit =>
  callLimits.some((name) => name === problem);

export const problemOf = (form: TokenForm, count: number): TokenProblem | null => {
  if (form.name.trim() === '') return 'name-missing';
  if (!Number.isSafeInteger(form.expired_time)) return 'expiry-wrong';
  if (!form.unlimited_quota && !Number.isSafeInteger(form.remain_quota)) return 'quota-wrong';
  const wrong = callLimits.find((name) => !Number.isSafeInteger(form[name]) || form[name] < 0);
  if (wrong !== undefined) return wrong;
  return Number.isSafeInteger(count) && count > 0 ? null : 'count-wrong';
};
