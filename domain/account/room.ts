import type { QuotaUnits } from '../shared/quota.ts';

/**
 * Half of what an account can hold and still count exactly. What is used up before it is credited, a code
 * or a payment, is refused from here on, so that credits which are under way at the same moment still fit.
 */
const maxIntake = 2 ** 52 - 1;

/** What a code or a payment may still bring to an account. */
export const roomOf = ({
  balance,
  used,
}: Readonly<{ balance: number; used: number }>): QuotaUnits =>
  Math.max(0, maxIntake - Math.max(balance, balance + used));
