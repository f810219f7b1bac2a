import type { CallLimits } from '../../domain/relay/call-limits.ts';
import type { TokenTerms } from '../../domain/token/events.ts';

/** What a form sends, lists as text. */
export type WireTerms = Readonly<{
  name: string;
  remain_quota?: number | null | undefined;
  expired_time?: number | null | undefined;
  unlimited_quota?: boolean | null | undefined;
  model_limits_enabled?: boolean | null | undefined;
  model_limits?: string | null | undefined;
  allow_ips?: string | null | undefined;
  group?: string | null | undefined;
  requests_per_minute?: number | null | undefined;
  tokens_per_minute?: number | null | undefined;
  concurrent_requests?: number | null | undefined;
}>;

const listOf = (text: string | null | undefined, separator: RegExp): readonly string[] => [
  ...new Set(
    (text ?? '')
      .split(separator)
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  ),
];

const limitFrom = <K extends keyof CallLimits>(
  name: K,
  limit: number | null | undefined,
  before: CallLimits,
): Pick<CallLimits, K> => {
  const now = limit ?? before[name] ?? 0;
  return (now === 0 ? {} : { [name]: now }) as Pick<CallLimits, K>;
};

/** Forms without these limits leave them unchanged; 0 removes one. */
const callLimitsFrom = (wire: WireTerms, before: CallLimits): CallLimits => ({
  ...limitFrom('requestsPerMinute', wire.requests_per_minute, before),
  ...limitFrom('tokensPerMinute', wire.tokens_per_minute, before),
  ...limitFrom('concurrentRequests', wire.concurrent_requests, before),
});

/** Absent terms are the field's defaults: nothing to spend, no expiry, no limits. */
export const termsFrom = (wire: WireTerms, before: CallLimits = {}): TokenTerms => ({
  name: wire.name,
  expiredTime: wire.expired_time ? wire.expired_time : -1,
  unlimitedQuota: wire.unlimited_quota ?? false,
  remainQuota: wire.remain_quota ?? 0,
  modelLimitsEnabled: wire.model_limits_enabled ?? false,
  modelLimits: listOf(wire.model_limits, /,/),
  allowIps: listOf(wire.allow_ips, /[\s,]+/),
  group: wire.group ?? '',
  ...callLimitsFrom(wire, before),
});
