import { type InferFields, optional, whole } from '../shared/shape.ts';

/**
 * How many calls and tokens a minute are allowed, and how many calls at a time. Absent: no limit. Each is a
 * whole number from 1 up.
 */
export const callLimits = {
  requestsPerMinute: optional(whole),
  /** Tokens of prompts and answers. */
  tokensPerMinute: optional(whole),
  /** Calls that run at the same moment. */
  concurrentRequests: optional(whole),
};
export type CallLimits = InferFields<typeof callLimits>;

const maxCallLimit = 2_147_483_647;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isCallLimit = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxCallLimit;

const given = <K extends keyof CallLimits>(name: K, value: unknown): Pick<CallLimits, K> =>
  (isCallLimit(value) ? { [name]: value } : {}) as Pick<CallLimits, K>;

/** How the limits of one thing are written in options. */
export const readCallLimits = (value: unknown): CallLimits => {
  if (!isRecord(value)) return {};
  const { requests_per_minute, tokens_per_minute, concurrent_requests } = value;
  return {
    ...given('requestsPerMinute', requests_per_minute),
    ...given('tokensPerMinute', tokens_per_minute),
    ...given('concurrentRequests', concurrent_requests),
  };
};

const written: ReadonlySet<string> = new Set([
  'requests_per_minute',
  'tokens_per_minute',
  'concurrent_requests',
]);

/** The content of an option: at least one limit, and nothing else. */
export const areCallLimits = (value: unknown): boolean => {
  if (!isRecord(value)) return false;
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([name, at]) => written.has(name) && isCallLimit(at));
};

/** Everything without a separate entry. */
export const everyOther = '*';
const ofGroup = 'group:';

/** Place of the limits of a user: by id, else by group, else among all others. */
export const userLimitKeys = (userId: number, group: string): readonly string[] => [
  String(userId),
  ofGroup + group,
  everyOther,
];

export const isUserLimitKey = (key: string): boolean =>
  key === everyOther || /^[1-9]\d{0,15}$/.test(key) || (key.startsWith(ofGroup) && key !== ofGroup);
