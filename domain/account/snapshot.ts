import type { Event } from '../shared/event.ts';
import type { LeaseId, RelayId, TokenId, UserId } from '../shared/ids.ts';
import {
  type AccountState,
  type BudgetState,
  createAccountState,
  type LeaseState,
  type RelayTrace,
} from './state.ts';

/** Rises with every change of the shape of the state: older snapshots are then left unread. */
const accountSnapshotVersion = 1;

/** Where the events of one command stand in the stream. */
type AccountCommandTrace = Readonly<{
  /** Revision of its first event. */
  first: number;
  count: number;
  hash: string | null;
  /** ISO-8601 */
  occurredAt: string;
}>;

/** The newest command ids, oldest first, so that a repeated command is known as such. */
export type CommandMemorySnapshot = Readonly<{
  traces: readonly (readonly [string, AccountCommandTrace])[];
  /** A command of this time or earlier may have been forgotten. null: none was. */
  forgottenUntil: string | null;
}>;

/** The state as plain JSON. Ids of settled requests stay out: the stream answers for them. */
export type AccountSnapshot = Readonly<{
  version: number;
  userId: UserId;
  opened: boolean;
  balance: number;
  used: number;
  requestCount: number;
  rewards: number;
  eventCount: number;
  leases: readonly (readonly [LeaseId, LeaseState])[];
  reserved: number;
  reservedByToken: readonly (readonly [TokenId, number])[];
  budgets: readonly (readonly [TokenId, BudgetState])[];
  relays: readonly (readonly [RelayId, RelayTrace])[];
  relaysForgotten: boolean;
  commands: CommandMemorySnapshot;
}>;

/** Written to `accountSnapshot-<userId>`; says nothing new, so every projection leaves it out. */
export type AccountSnapshotTaken = Event<'AccountSnapshotTaken', AccountSnapshot>;

const copied = <K, V extends object>(map: ReadonlyMap<K, V>): (readonly [K, V])[] =>
  [...map].map(([key, value]) => [key, { ...value }] as const);

export const takeSnapshot = (
  userId: UserId,
  state: AccountState,
  commands: CommandMemorySnapshot,
): AccountSnapshot => {
  const { recent: _recent, older: _older, ...rest } = state;
  return {
    ...rest,
    version: accountSnapshotVersion,
    userId,
    leases: copied(state.leases),
    reservedByToken: [...state.reservedByToken],
    budgets: copied(state.budgets),
    relays: copied(state.relays),
    commands,
  };
};

/** null: taken under another shape, so the stream must be folded from its beginning. */
export const openSnapshot = (snapshot: AccountSnapshot): AccountState | null => {
  const { version, userId: _userId, commands: _commands, ...rest } = snapshot;
  if (version !== accountSnapshotVersion) return null;
  return {
    ...createAccountState(),
    ...rest,
    leases: new Map(copied(new Map(rest.leases))),
    reservedByToken: new Map(rest.reservedByToken),
    budgets: new Map(copied(new Map(rest.budgets))),
    relays: new Map(copied(new Map(rest.relays))),
  };
};
