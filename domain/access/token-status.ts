/** Status of an API token on the wire: 1 enabled, 2 disabled, 3 expired, 4 exhausted. */
export type TokenStatus = 1 | 2 | 3 | 4;

/** Expiry of a token that never expires. */
const neverExpires = -1;

/**
 * Whether a token has expired. It is valid up to and including the second `expiredTime`.
 * Both times are unix seconds; `nowSeconds` is rounded down.
 */
export const isExpired = (expiredTime: number, nowSeconds: number): boolean =>
  expiredTime !== neverExpires && expiredTime < nowSeconds;

type Facts = Readonly<{
  isEnabled: boolean;
  expiredTime: number;
  unlimitedQuota: boolean;
  /** Quota units left of the token's budget; ignored when the quota is unlimited. */
  remainQuota: number;
}>;

/** Expiry and exhaustion are computed from the time and the budget; they are not stored. */
export const tokenStatus = (facts: Facts, nowSeconds: number): TokenStatus => {
  if (!facts.isEnabled) return 2;
  if (isExpired(facts.expiredTime, nowSeconds)) return 3;
  return !facts.unlimitedQuota && facts.remainQuota <= 0 ? 4 : 1;
};
