import type { LeaseId, RelayId, RequestId, TokenId } from '../shared/ids.ts';
import type { QuotaUnits } from '../shared/quota.ts';

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
};

/** `remain` may fall below 0: a charge is never refused. */
export type BudgetState = { unlimited: boolean; remain: number; used: number };

/** What is known of one relay on this account. */
export type RelayTrace = {
  /** Highest settled place in the relay's journal; 0 before the first charge. */
  sequence: number;
  /** Revision of the first event that names the relay: no outcome of its requests is older. */
  readonly since: number;
  /** Revision of the last one. */
  last: number;
};

export type Outcome = 'charged' | 'abandoned';

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
  relays: Map<RelayId, RelayTrace>;
  /** A relay fell out of `relays`, so an unknown one is not certainly new. */
  relaysForgotten: boolean;
  /** Outcomes of the newest requests, in two generations, so that forgetting costs nothing. */
  recent: Map<RequestId, Outcome>;
  older: Map<RequestId, Outcome>;
};

/** Requests remembered by id in each generation. */
export const rememberedOutcomes = 512;
export const rememberedRelays = 64;
/** The playground spends the account's balance and has no budget of its own. */
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
  relays: new Map(),
  relaysForgotten: false,
  recent: new Map(),
  older: new Map(),
});

const cloneEntries = <K, V extends object>(map: ReadonlyMap<K, V>): Map<K, V> =>
  new Map([...map].map(([key, value]) => [key, { ...value }]));

export const cloneAccountState = (state: AccountState): AccountState => ({
  ...state,
  leases: cloneEntries(state.leases),
  reservedByToken: new Map(state.reservedByToken),
  budgets: cloneEntries(state.budgets),
  relays: cloneEntries(state.relays),
  recent: new Map(state.recent),
  older: new Map(state.older),
});

/** What a lease holds and has not spent. */
export const outstanding = ({ amount, spent }: LeaseState): QuotaUnits =>
  amount > spent ? amount - spent : 0;

/** What may still be reserved. Below 0 when charges went past what was there. */
export const availableBalance = (state: AccountState): number => state.balance - state.reserved;

/** The same for a token; null when only the balance bounds it. An unknown token has nothing. */
export const availableOfToken = (state: AccountState, tokenId: TokenId): number | null => {
  if (tokenId === playgroundToken) return null;
  const budget = state.budgets.get(tokenId);
  if (budget === undefined) return 0;
  return budget.unlimited ? null : budget.remain - (state.reservedByToken.get(tokenId) ?? 0);
};

const recentOutcome = (state: AccountState, requestId: RequestId): Outcome | undefined =>
  state.recent.get(requestId) ?? state.older.get(requestId);

/**
 * Was this request settled before? Sequences of a relay rise, so a higher one is new; anything else
 * that memory does not know must be read from the stream.
 */
export const settlementOf = (
  state: AccountState,
  {
    requestId,
    relayId,
    sequence,
  }: Readonly<{
    requestId: RequestId;
    relayId: RelayId;
    sequence: number;
  }>,
): 'new' | 'settled' | 'uncertain' => {
  if (recentOutcome(state, requestId) === 'charged') return 'settled';
  const trace = state.relays.get(relayId);
  if (trace !== undefined && sequence > trace.sequence) return 'new';
  return trace === undefined && !state.relaysForgotten ? 'new' : 'uncertain';
};

/** Has this request an outcome in this account, charged or abandoned? */
export const abandonmentOf = (
  state: AccountState,
  { requestId, relayId }: Readonly<{ requestId: RequestId; relayId: RelayId }>,
): 'new' | 'settled' | 'uncertain' => {
  if (recentOutcome(state, requestId) !== undefined) return 'settled';
  return state.relays.has(relayId) || state.relaysForgotten ? 'uncertain' : 'new';
};
