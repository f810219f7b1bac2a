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
import { uuidFrom } from '../uuid.ts';
import { CommandMemory, stemsFromCommand } from './command-memory.ts';

/** The books of one account as they stand in memory, folded in place. */
export type Books = {
  readonly userId: UserId;
  readonly state: AccountState;
  readonly commands: CommandMemory;
  /** Place in the log of the newest event; null when only a snapshot was read. */
  position: bigint | null;
  eventsSinceSnapshot: number;
};

/** Folds one event, which is the next of the stream. */
export const advanceBooks = (books: Books, event: AccountEvent, metadata: Metadata): void => {
  if (stemsFromCommand(event.type)) books.commands.note(metadata, books.state.eventCount);
  applyAccountEvent(books.state, event);
  books.eventsSinceSnapshot += 1;
};

/** Folds what the log holds beyond these books; true when there was something. */
export const refreshBooks = async (store: EventStore, books: Books): Promise<boolean> => {
  const from = BigInt(books.state.eventCount);
  let moved = false;
  // An event that cannot be read moves no money and has a place in the stream all the same.
  const onUnreadable = ({ revision }: UnreadableEvent): void => {
    books.state.eventCount = Number(revision) + 1;
    moved = true;
  };
  const tail = store.readStream<AccountEvent>(accountStreamId(books.userId), {
    from,
    onUnreadable,
  });
  for await (const { event, metadata, position } of tail) {
    advanceBooks(books, event, metadata);
    books.position = position;
    moved = true;
  }
  return moved;
};

const startOf = async (store: EventStore, userId: UserId): Promise<Books> => {
  const newest = { maxCount: 1, backwards: true };
  const streamId = accountSnapshotStreamId(userId);
  const base = { userId, position: null, eventsSinceSnapshot: 0 };
  for await (const { event } of store.readStream<AccountSnapshotTaken>(streamId, newest)) {
    const state = openSnapshot(event.data);
    if (state !== null) {
      return { ...base, state, commands: new CommandMemory(event.data.commands) };
    }
  }
  return { ...base, state: createAccountState(), commands: new CommandMemory() };
};

/** The newest snapshot and the tail after it. */
export const loadBooks = async (store: EventStore, userId: UserId): Promise<Books> => {
  const books = await startOf(store, userId);
  await refreshBooks(store, books);
  return books;
};

/** The snapshot of this moment, ready to be written while the books move on. */
export const snapshotOf = (
  { userId, state, commands }: Books,
  occurredAt: string,
): Readonly<{ streamId: string; event: EventToAppend<AccountSnapshotTaken> }> => {
  const streamId = accountSnapshotStreamId(userId);
  const commandId = `${streamId}@${state.eventCount}`;
  return {
    streamId,
    event: {
      event: {
        type: 'AccountSnapshotTaken',
        data: takeSnapshot(userId, state, commands.toSnapshot()),
      },
      eventId: uuidFrom(commandId),
      metadata: {
        actor: { kind: 'system', id: 'keeper' },
        correlationId: commandId,
        causationId: commandId,
        commandId,
        occurredAt,
        schemaVersion: 1,
      },
    },
  };
};

export type AccountRecorded = Recorded<AccountEvent>;
