import { applyAccountEvent } from '../../domain/account/decider-evolve.ts';
import type { AccountEvent } from '../../domain/account/events.ts';
import {
  type AccountSnapshot,
  type AccountSnapshotContent,
  type AccountSnapshotTaken,
  openSnapshot,
  takeSnapshot,
} from '../../domain/account/snapshot.ts';
import { type AccountState, createAccountState } from '../../domain/account/state.ts';
import { accountSnapshotStreamId, accountStreamId } from '../../domain/account/stream.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { EventStore } from '../ports/event-store.ts';
import { categoryOf } from './check.ts';
import type { Findings } from './findings.ts';

/** Accounts whose state is kept as it is; that of the others is kept as text. */
const openAccounts = 2_000;

type Pending = Readonly<{ eventId: string; streamId: string; snapshot: AccountSnapshot }>;

const [account, snapshots] = [
  categoryOf(accountStreamId(1)),
  categoryOf(accountSnapshotStreamId(1)),
];
const idIn = (streamId: string): number => Number(streamId.slice(streamId.indexOf('-') + 1));

const isSnapshot = (recorded: Recorded): recorded is Recorded<AccountSnapshotTaken> =>
  recorded.event.type === 'AccountSnapshotTaken';

const noCommands: AccountSnapshot['commands'] = { traces: [], forgottenUntil: null };
const snapshotOf = (userId: number, state: AccountState): AccountSnapshotContent =>
  takeSnapshot(userId, state, noCommands);

/** Entries of a map in one order, since the order of entering has no meaning. */
const inOrder = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)).sort() : value;

/** Fields in which two snapshots differ; commands are kept next to the state. */
const differences = (
  stored: AccountSnapshotContent,
  due: AccountSnapshotContent,
): readonly string[] => {
  const [left, right] = [stored, due].map((snapshot) => {
    const {
      commands: _,
      digest: _digest,
      ...state
    } = JSON.parse(JSON.stringify(snapshot)) as AccountSnapshot;
    return new Map<string, unknown>(Object.entries(state));
  });
  const names = new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])]);
  return [...names].filter(
    (name) =>
      JSON.stringify(inOrder(left?.get(name))) !== JSON.stringify(inOrder(right?.get(name))),
  );
};

const folded = (state: AccountState, recorded: Recorded): void => {
  // An event that cannot be read has a place in the stream all the same.
  state.eventCount = Number(recorded.revision);
  applyAccountEvent(state, recorded.event as AccountEvent);
};

/**
 * The newest snapshot of each account is what its events add up to; a keeper starts from it without
 * reading them. Keeps for each account what a snapshot of it contains.
 */
export class SnapshotCheck {
  readonly #findings: Findings;
  /** The one used last is at the end. */
  readonly #open = new Map<number, AccountState>();
  readonly #parked = new Map<number, string>();
  /** Newest snapshots that are older than the fold was when the walk reached them. */
  readonly #pending = new Map<number, Pending>();
  /** Breaks of newest snapshots; a newer one takes the place of its forerunner. */
  readonly #broken = new Map<number, Readonly<{ recorded: Recorded; detail: string }>>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Of every event. */
  see(recorded: Recorded): void {
    const category = categoryOf(recorded.streamId);
    if (category === account) this.#fold(idIn(recorded.streamId), recorded);
    else if (category === snapshots && isSnapshot(recorded)) this.#compare(recorded);
  }

  async end(eventStore: EventStore): Promise<void> {
    for (const [userId, { snapshot, ...event }] of this.#pending) {
      const state = await this.#foldTo(eventStore, userId, snapshot.eventCount);
      const names = differences(snapshot, snapshotOf(userId, state));
      if (names.length > 0) this.#findings.ofEarlier('snapshot-mismatch', detailed(event, names));
    }
    for (const { recorded, detail } of this.#broken.values()) {
      this.#findings.ofEvent('snapshot-mismatch', recorded, detail);
    }
  }

  #fold(userId: number, recorded: Recorded): void {
    folded(this.#take(userId), recorded);
  }

  #compare(recorded: Recorded<AccountSnapshotTaken>): void {
    const { eventId, streamId, event } = recorded;
    const snapshot = event.data;
    const userId = idIn(streamId);
    this.#pending.delete(userId);
    this.#broken.delete(userId);
    // Of another shape: the keeper does not read it either.
    if (openSnapshot(snapshot) === null) return;
    const state = this.#take(userId);
    if (snapshot.eventCount < state.eventCount) {
      this.#pending.set(userId, { eventId, streamId, snapshot });
      return;
    }
    const names = differences(snapshot, snapshotOf(userId, state));
    if (names.length > 0) this.#broken.set(userId, { recorded, ...detailed(recorded, names) });
  }

  async #foldTo(eventStore: EventStore, userId: number, count: number): Promise<AccountState> {
    const state = createAccountState();
    if (count <= 0) return state;
    const stream = eventStore.readStream(accountStreamId(userId));
    for await (const recorded of stream) {
      if (recorded.revision >= BigInt(count)) break;
      folded(state, recorded);
    }
    return state;
  }

  #take(userId: number): AccountState {
    const open = this.#open.get(userId);
    if (open !== undefined) {
      if (this.#open.size < openAccounts) return open;
      this.#open.delete(userId);
      this.#open.set(userId, open);
      return open;
    }
    if (this.#open.size >= openAccounts) this.#park();
    const parked = this.#parked.get(userId);
    const kept = parked === undefined ? null : openSnapshot(JSON.parse(parked) as AccountSnapshot);
    this.#parked.delete(userId);
    const state = kept ?? createAccountState();
    this.#open.set(userId, state);
    return state;
  }

  #park(): void {
    for (const [userId, state] of this.#open) {
      this.#open.delete(userId);
      this.#parked.set(userId, JSON.stringify(snapshotOf(userId, state)));
      return;
    }
  }
}

const detailed = (
  { eventId, streamId }: Readonly<{ eventId: string; streamId: string }>,
  names: readonly string[],
) => ({
  eventId,
  streamId,
  detail: `differs from the events of the account: ${names.join(', ')}`,
});
