import { defineEvents, type EventsOf, fromVersion } from '../shared/catalogue.ts';
import {
  type LeaseId,
  type ProducerId,
  type RelayId,
  type TokenId,
  type UserId,
  userId,
} from '../shared/ids.ts';
import { type Shape, whole } from '../shared/shape.ts';
import {
  type AccountState,
  type BudgetState,
  createAccountState,
  type LeaseState,
  type ProducerState,
} from './state.ts';

/** Rises with every change of the shape of the state: older snapshots are then left unread. */
const accountSnapshotVersion = 4;

/** Places of the events of one command in the stream. */
type AccountCommandTrace = Readonly<{
  /** Revision of its first event. */
  first: number;
  count: number;
  hash: string | null;
  /** ISO-8601 */
  occurredAt: string;
}>;

/** The newest command ids, oldest first, so that a repeated command is recognised. */
export type CommandMemorySnapshot = Readonly<{
  traces: readonly (readonly [string, AccountCommandTrace])[];
  /** A command of this time or earlier may have been dropped. null: none was. */
  forgottenUntil: string | null;
}>;

/** The state as plain JSON. */
export type AccountSnapshotContent = Readonly<{
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
  producers: readonly (readonly [ProducerId, ProducerState])[];
  unplaced: readonly RelayId[];
  nextProducerId: ProducerId;
  commands: CommandMemorySnapshot;
}>;

/** `digest` is of all the rest, so that an altered snapshot is not used. */
export type AccountSnapshot = AccountSnapshotContent & Readonly<{ digest: string }>;

/** The data have their own version, which `openSnapshot` checks: an older snapshot is discarded. */
const snapshotHead = fromVersion(
  4,
  defineEvents('accountSnapshot', null)({ version: whole, userId }),
);

export const accountSnapshotEvents = {
  /** Written to `accountSnapshot-<userId>`; contains nothing new, so every projection leaves it out. */
  AccountSnapshotTaken: {
    ...snapshotHead,
    shape: snapshotHead.shape as Shape<AccountSnapshot>,
  },
};
export type AccountSnapshotTaken = EventsOf<typeof accountSnapshotEvents>['AccountSnapshotTaken'];

const copied = <K, V extends object>(map: ReadonlyMap<K, V>): (readonly [K, V])[] =>
  [...map].map(([key, value]) => [key, { ...value }] as const);

export const takeSnapshot = (
  userId: UserId,
  state: AccountState,
  commands: CommandMemorySnapshot,
): AccountSnapshotContent => {
  return {
    ...state,
    version: accountSnapshotVersion,
    userId,
    leases: copied(state.leases),
    reservedByToken: [...state.reservedByToken],
    budgets: copied(state.budgets),
    producers: copied(state.producers),
    unplaced: [...state.unplaced],
    commands,
  };
};

/** null: taken under another shape, so the stream must be folded from its beginning. */
export const openSnapshot = (snapshot: AccountSnapshot): AccountState | null => {
  const { version, userId: _userId, commands: _commands, digest: _digest, ...rest } = snapshot;
  if (version !== accountSnapshotVersion) return null;
  return {
    ...createAccountState(),
    ...rest,
    leases: new Map(copied(new Map(rest.leases))),
    reservedByToken: new Map(rest.reservedByToken),
    budgets: new Map(copied(new Map(rest.budgets))),
    producers: new Map(copied(new Map(rest.producers))),
    unplaced: new Set(rest.unplaced),
  };
};
