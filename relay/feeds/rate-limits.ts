import { parseObject } from '../protocol/json.ts';

type Texts = ReadonlyMap<string, string>;

const wholeNumber = (text: string | undefined, otherwise: number): number => {
  const value = Number(text ?? otherwise);
  return Number.isInteger(value) ? value : otherwise;
};

const limitOf = (total: number, success: number): GroupLimit => ({
  total: total > 0 ? total : null,
  success: Math.max(1, success),
});

const groupsOf = (text: string | undefined): ReadonlyMap<string, GroupLimit> => {
  const groups = new Map<string, GroupLimit>();
  if (text === undefined) return groups;
  for (const [group, pair] of Object.entries(parseObject(text) ?? {})) {
    if (Array.isArray(pair)) groups.set(group, limitOf(Number(pair[0]), Number(pair[1])));
  }
  return groups;
};

/** null: `ModelRequestRateLimitEnabled` is off. */
export const rateLimitsOf = (texts: Texts): RateLimits | null => {
  if (texts.get('ModelRequestRateLimitEnabled') !== 'true') return null;
  return {
    windowMinutes: Math.max(1, wholeNumber(texts.get('ModelRequestRateLimitDurationMinutes'), 1)),
    default: limitOf(
      wholeNumber(texts.get('ModelRequestRateLimitCount'), 0),
      wholeNumber(texts.get('ModelRequestRateLimitSuccessCount'), 1_000),
    ),
    groups: groupsOf(texts.get('ModelRequestRateLimitGroup')),
  };
};

/** Requests of one user in one window. `total` counts failed ones too; null: no limit. */
export type GroupLimit = Readonly<{ total: number | null; success: number }>;

/** `ModelRequestRateLimit…` (infra/reference/protocols.md, section 6). */
export type RateLimits = Readonly<{
  windowMinutes: number;
  default: GroupLimit;
  groups: ReadonlyMap<string, GroupLimit>;
}>;
