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
  | 'token.model-limits-length';

const isExpiry = (seconds: number): boolean =>
  seconds === -1 || (Number.isSafeInteger(seconds) && seconds > 0);

export const termsProblem = (terms: TokenTerms): TermsRejection | null => {
  const length = [...terms.name.trim()].length;
  if (length === 0 || length > tokenNameLimit) return 'token.name-length';
  if (!isQuotaUnits(terms.remainQuota)) return 'token.quota-invalid';
  if (!isExpiry(terms.expiredTime)) return 'token.expiry-invalid';
  if (terms.modelLimits.join(',').length > modelLimitsLimit) return 'token.model-limits-length';
  return null;
};

const sameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((item, index) => item === right[index]);

export const sameTerms = (left: TokenTerms, right: TokenTerms): boolean =>
  left.name === right.name &&
  left.expiredTime === right.expiredTime &&
  left.unlimitedQuota === right.unlimitedQuota &&
  left.remainQuota === right.remainQuota &&
  left.modelLimitsEnabled === right.modelLimitsEnabled &&
  sameList(left.modelLimits, right.modelLimits) &&
  sameList(left.allowIps, right.allowIps) &&
  left.group === right.group;
