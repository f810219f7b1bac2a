import { isCallLimit } from '../relay/call-limits.ts';
import { sameFields, sameList, sameValue } from '../shared/fields.ts';
import { isQuotaUnits } from '../shared/quota.ts';
import type { TokenTerms } from './events.ts';

/** Characters, not bytes. */
export const tokenNameLimit = 30;
/** Characters of the comma list on the wire. */
const modelLimitsLimit = 1024;

export type TermsRejection =
  | 'token.name-length'
  | 'token.quota-invalid'
  | 'token.expiry-invalid'
  | 'token.model-limits-length'
  | 'token.call-limit-invalid';

const isExpiry = (seconds: number): boolean =>
  seconds === -1 || (Number.isSafeInteger(seconds) && seconds > 0);

const hasBadLimit = (terms: TokenTerms): boolean =>
  [terms.requestsPerMinute, terms.tokensPerMinute, terms.concurrentRequests].some(
    (limit) => limit !== undefined && !isCallLimit(limit),
  );

export const termsProblem = (terms: TokenTerms): TermsRejection | null => {
  const length = [...terms.name.trim()].length;
  if (length === 0 || length > tokenNameLimit) return 'token.name-length';
  if (!isQuotaUnits(terms.remainQuota)) return 'token.quota-invalid';
  if (!isExpiry(terms.expiredTime)) return 'token.expiry-invalid';
  if (terms.modelLimits.join(',').length > modelLimitsLimit) return 'token.model-limits-length';
  return hasBadLimit(terms) ? 'token.call-limit-invalid' : null;
};

export const sameTerms = sameFields<TokenTerms>({
  name: sameValue,
  expiredTime: sameValue,
  unlimitedQuota: sameValue,
  remainQuota: sameValue,
  modelLimitsEnabled: sameValue,
  modelLimits: sameList,
  allowIps: sameList,
  group: sameValue,
  requestsPerMinute: sameValue,
  tokensPerMinute: sameValue,
  concurrentRequests: sameValue,
});
