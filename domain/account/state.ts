import type { LeaseId, ProducerId, RelayId, TokenId } from '../shared/ids.ts';
import type { QuotaUnits } from '../shared/quota.ts';
import type { UsageNumber } from './usage-number.ts';

/** Quota reserved for one relay and token. `amount - spent` is reserved while it is above 0. */
export type LeaseState = {
  readonly relayId: RelayId;
  readonly tokenId: TokenId;
  amount: QuotaUnits;
  spent: QuotaUnits;
  readonly firstAsk: number;
  /** The newest lease request and its grant, so that a repeat gets the same answer. */
  ask: number;
  lastGrant: QuotaUnits;
  /**
   * Revision of the newest event that lowered what this lease was granted from: no request may be admitted
   * on it any more. Absent: none did.
   */
  loweredAt?: number;
};

/** `remain` may fall below 0: a charge is never refused. */
export type BudgetState = { unlimited: boolean; remain: number; used: number };

/** A relay instance that holds or held leases in this account, until its end was announced. */
export type ProducerState = {
  readonly relayId: RelayId;
  /** All its numbers up to this one are settled, and none after it. */
  settledThrough: number;
  /** Revision of the event that opened it: no outcome of its requests is older. */
  readonly since: number;
  /** Highest number of its leases that are closed: a late request for one is not granted again. */
  closedLease: number;
};

/**
 * The account of one user. The keeper folds into it in place (`applyAccountEvent`), since copying maps
 * for each of thousands of charges a second would be most of the work; `evolve` copies first.
 */
export type AccountState = {
  opened: boolean;
  balance: number;
  /** Charged and not refunded. */
  used: number;
  requestCount: number;
  /** Earned by invitations and not yet transferred. */
  rewards: QuotaUnits;
  /** Events folded so far, which is the revision of the next one. */
  eventCount: number;
  leases: Map<LeaseId, LeaseState>;
  /** Sum of what the leases hold unspent. */
  reserved: number;
  reservedByToken: Map<TokenId, number>;
  budgets: Map<TokenId, BudgetState>;
  /** Those that are not closed. */
  producers: Map<ProducerId, ProducerState>;
  /**
   * Relay instances with a charge whose number had no producer here, until their end. When the
   * producer opens, the records behind such charges may be repeated as its next numbers.
   */
  unplaced: Set<RelayId>;
  /** Every smaller id was given. */
  nextProducerId: ProducerId;
};

/** The playground spends the account's balance and has no separate budget. */
export const playgroundToken: TokenId = 0;

export const createAccountState = (): AccountState => ({
  opened: false,
  balance: 0,
  used: 0,
  requestCount: 0,
  rewards: 0,
  eventCount: 0,
  leases: new Map(),
  reserved: 0,
  reservedByToken: new Map(),
  budgets: new Map(),
  producers: new Map(),
  unplaced: new Set(),
  nextProducerId: 1,
});

const cloneEntries = <K, V extends object>(map: ReadonlyMap<K, V>): Map<K, V> =>
  new Map([...map].map(([key, value]) => [key, { ...value }]));

export const cloneAccountState = (state: AccountState): AccountState => ({
  ...state,
  leases: cloneEntries(state.leases),
  reservedByToken: new Map(state.reservedByToken),
  budgets: cloneEntries(state.budgets),
  producers: cloneEntries(state.producers),
  unplaced: new Set(state.unplaced),
});

/** What a lease holds and has not spent. */
export const outstanding = ({ amount, spent }: LeaseState): QuotaUnits =>
  amount > spent ? amount - spent : 0;

/** The number of a lease among those of its relay instance; it ends the id. */
export const leaseNumberOf = (leaseId: LeaseId): number =>
  Number(leaseId.slice(leaseId.lastIndexOf('.') + 1));

/** What may still be reserved. Below 0 when charges went past what was there. */
export const availableBalance = (state: AccountState): number => state.balance - state.reserved;

/** The same for a token; null when only the balance bounds it. An unknown token has nothing. */
export const availableOfToken = (state: AccountState, tokenId: TokenId): number | null => {
  if (tokenId === playgroundToken) return null;
  const budget = state.budgets.get(tokenId);
  if (budget === undefined) return 0;
  return budget.unlimited ? null : budget.remain - (state.reservedByToken.get(tokenId) ?? 0);
};

/** The open producer of a relay instance; null: it has none in this account. */
export const producerOf = (state: AccountState, relayId: RelayId): ProducerId | null => {
  for (const [producerId, producer] of state.producers) {
    if (producer.relayId === relayId) return producerId;
  }
  return null;
};

/**
 * Place of a numbered record. `next`: to be settled now; `settled`: it was before; `ahead`: one
 * before it is missing; `unknown`: the account does not have the producer, which has ended, or was
 * in a log that an older one replaced, or the record has no number.
 */
export const standingOf = (
  state: AccountState,
  relayId: RelayId,
  usageNumber: UsageNumber | undefined,
): 'next' | 'settled' | 'ahead' | 'unknown' => {
  if (usageNumber === undefined) return 'unknown';
  const { producerId, number } = usageNumber;
  const producer = state.producers.get(producerId);
  if (producer?.relayId !== relayId) return 'unknown';
  if (number <= producer.settledThrough) return 'settled';
  return number === producer.settledThrough + 1 ? 'next' : 'ahead';
};
