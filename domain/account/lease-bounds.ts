import type { LeaseId, RelayId, TokenId, UserId } from '../shared/ids.ts';
import type { QuotaUnits } from '../shared/quota.ts';
import type { AccountRejection, ChargeRequest } from './commands.ts';
import { type AccountState, outstanding } from './state.ts';

/** The lease of a relay on one account and token. */
export const leaseIdOf = ({
  relayId,
  userId,
  tokenId,
}: Readonly<{ relayId: RelayId; userId: UserId; tokenId: TokenId }>): LeaseId =>
  `${relayId}.${userId}.${tokenId}`;

/**
 * An answer whose length nobody limits may cost more than was set aside for it. More than this no
 * single answer of any model costs; 50,000,000 units are 100 USD by default.
 */
const largestOverrun = 50_000_000;
/** How far such answers, of all that run at one moment, may bring an account below 0. */
const largestOverdraft = 10 * largestOverrun;

type Told = Readonly<{ data: ChargeRequest['data']; amount: QuotaUnits }>;

/**
 * Why a relay's word is not enough for this charge; null when a lease that it was granted allows it.
 * What an expired lease held still counts, as its records may be late.
 */
export const leaseRefusal = (
  toldBy: RelayId,
  { data, amount }: Told,
  state: AccountState,
): AccountRejection | null => {
  const { userId, leaseId, call } = data;
  const { relayId, tokenId } = call;
  if (relayId !== toldBy) return 'account.lease-of-another';
  if (amount === 0) return null;
  const trace = state.relays.get(relayId);
  if (leaseId === null || trace?.leased !== true) return 'account.not-leased';
  if (leaseId !== leaseIdOf({ relayId, userId, tokenId })) return 'account.lease-of-another';
  const held = state.leases.get(leaseId);
  const overrun = amount - trace.late - (held === undefined ? 0 : outstanding(held));
  if (overrun <= 0) return null;
  const isBeyond = overrun > largestOverrun || state.balance - amount < -largestOverdraft;
  return isBeyond ? 'account.beyond-lease' : null;
};
