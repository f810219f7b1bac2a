import { applyAccountEvent } from '../../domain/account/decider-evolve.ts';
import type { AccountEvent } from '../../domain/account/events.ts';
import {
  type AccountSnapshotTaken,
  openSnapshot,
  takeSnapshot,
} from '../../domain/account/snapshot.ts';
import { type AccountState, createAccountState } from '../../domain/account/state.ts';
import { accountSnapshotStreamId, accountStreamId } from '../../domain/account/stream.ts';
import type { Metadata, Recorded } from '../../domain/shared/event.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { EventStore, EventToAppend, UnreadableEvent } from '../../infra/ports/event-store.ts';
import { CommandMemory } from '../commands/command-memory.ts';
import { causedMetadata } from '../shared/metadata.ts';
import { uuidFrom } from '../shared/uuid.ts';
import { isIntact, withDigest } from './snapshot-digest.ts';

/** The state of one account in memory, folded in place. */
export type LoadedAccount = {
  readonly userId: UserId;
  readonly state: AccountState;
  readonly commands: CommandMemory;
  /** Place in the log of the newest event; null when only a snapshot was read. */
  position: bigint | null;
  eventsSinceSnapshot: number;
};

export type AccountRecorded = Recorded<AccountEvent>;

/** Events that relays report; they carry no command id of a person or a process. */
const relayEvents: ReadonlySet<string> = new Set([
  'QuotaLeased',
  'LeaseReturned',
  'LeaseExpired',
  'RequestCharged',
  'RequestAbandoned',
  'UsageNumberSkipped',
  'ProducerClosed',
]);

/** Folds one event, which is the next of the stream. */
export const foldEvent = (
  account: LoadedAccount,
  event: AccountEvent,
  metadata: Metadata,
): void => {
  if (!relayEvents.has(event.type)) account.commands.note(metadata, account.state.eventCount);
  applyAccountEvent(account.state, event);
  account.eventsSinceSnapshot += 1;
};

/** Folds what the log holds beyond this state. */
export const readAccountTail = async (store: EventStore, account: LoadedAccount): Promise<void> => {
  const from = BigInt(account.state.eventCount);
  // An event that cannot be read moves no money and has a place in the stream all the same.
  const onUnreadable = ({ revision }: UnreadableEvent): void => {
    account.state.eventCount = Number(revision) + 1;
  };
  const streamId = accountStreamId(account.userId);
  const tail = store.readStream<AccountEvent>(streamId, { from, onUnreadable });
  for await (const { event, metadata, position } of tail) {
    foldEvent(account, event, metadata);
    account.position = position;
  }
};

const newestSnapshot = async (store: EventStore, userId: UserId): Promise<LoadedAccount> => {
  const newest = { maxCount: 1, backwards: true };
  const streamId = accountSnapshotStreamId(userId);
  const base = { userId, position: null, eventsSinceSnapshot: 0 };
  for await (const { event } of store.readStream<AccountSnapshotTaken>(streamId, newest)) {
    const state = isIntact(event.data) ? openSnapshot(event.data) : null;
    if (state !== null) return { ...base, state, commands: new CommandMemory(event.data.commands) };
  }
  return { ...base, state: createAccountState(), commands: new CommandMemory() };
};

/** The newest snapshot and the tail after it. */
export const loadAccount = async (store: EventStore, userId: UserId): Promise<LoadedAccount> => {
  const account = await newestSnapshot(store, userId);
  await readAccountTail(store, account);
  return account;
};

/** The snapshot of this moment, ready to be written while the account moves on. */
export const snapshotOf = (
  { userId, state, commands }: LoadedAccount,
  occurredAt: string,
): Readonly<{ streamId: string; event: EventToAppend<AccountSnapshotTaken> }> => {
  const streamId = accountSnapshotStreamId(userId);
  const cause = `${streamId}@${state.eventCount}`;
  const data = withDigest(takeSnapshot(userId, state, commands.toSnapshot()));
  const event: AccountSnapshotTaken = { type: 'AccountSnapshotTaken', data };
  const metadata = causedMetadata({ kind: 'system', id: 'keeper' }, cause, occurredAt);
  return { streamId, event: { event, eventId: uuidFrom(cause), metadata } };
};
