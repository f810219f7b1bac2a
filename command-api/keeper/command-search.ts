import type { AccountEvent } from '../../domain/account/events.ts';
import { accountStreamId } from '../../domain/account/stream.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { AccountRecorded } from './load-account.ts';

/** A command that memory does not hold, though the stream may. */
export type ForgottenCommand = Readonly<{
  about: 'forgotten-command';
  /** Command id. */
  id: string;
  /** Its events are at this revision or before; memory holds every later one. */
  upTo: number;
  /** Its events are after this place in the log; null when its cause has no recorded place. */
  behind: bigint | null;
}>;

/** A command whose place is in memory. */
export type KnownCommand = Readonly<{
  about: 'known-command';
  id: string;
  /** Revision of its first event. */
  first: number;
  count: number;
}>;

/**
 * The events of an earlier attempt, oldest first. The search is bounded by places in the log, which
 * rise whatever the clocks of the machines are.
 */
const searchBack = async (
  store: EventStore,
  userId: UserId,
  { id, upTo, behind }: ForgottenCommand,
): Promise<readonly AccountRecorded[]> => {
  const found: AccountRecorded[] = [];
  const range = { backwards: true, from: BigInt(upTo) };
  const stream = store.readStream<AccountEvent>(accountStreamId(userId), range);
  for await (const recorded of stream) {
    if (behind !== null && recorded.position <= behind) break;
    // One append holds all events of a command, one after the other.
    if (recorded.metadata.commandId === id) found.push(recorded);
    else if (found.length > 0) break;
  }
  return found.reverse();
};

const readAt = async (
  store: EventStore,
  userId: UserId,
  { first, count }: KnownCommand,
): Promise<readonly AccountRecorded[]> => {
  const found: AccountRecorded[] = [];
  const range = { from: BigInt(first), maxCount: count };
  const stream = store.readStream<AccountEvent>(accountStreamId(userId), range);
  for await (const recorded of stream) found.push(recorded);
  return found;
};

/** Events of earlier attempts by command id. */
export const findCommands = async (
  store: EventStore,
  userId: UserId,
  questions: readonly (ForgottenCommand | KnownCommand)[],
): Promise<ReadonlyMap<string, readonly AccountRecorded[]>> => {
  const commands = new Map<string, readonly AccountRecorded[]>();
  for (const question of questions) {
    const found =
      question.about === 'known-command'
        ? await readAt(store, userId, question)
        : await searchBack(store, userId, question);
    if (found.length > 0) commands.set(question.id, found);
  }
  return commands;
};
