import type { Command, Event, Metadata } from '../../domain/shared/event.ts';
import type { AppendResult, EventStore, EventToAppend } from '../../infra/ports/event-store.ts';
import { isWrongExpectedRevision } from '../shared/errors.ts';
import { uuidFrom } from '../shared/uuid.ts';

/**
 * The id of a command's event: the same intent under the same command id on the same stream gives
 * the same id. The log recognises a repeated append by its ids alone, so that another intent under
 * the same command id has to have other ids: else two processes would each conclude that theirs was
 * stored.
 */
export const derivedEventId = (
  streamId: string,
  { commandId, commandHash = '' }: Pick<Metadata, 'commandId' | 'commandHash'>,
  index: number,
): string => uuidFrom(`${streamId}/${commandId}/${commandHash}#${index}`);

/** What a decision puts into the log. */
export const eventsToAppend = <E extends Event>(
  streamId: string,
  { metadata }: Command,
  events: readonly E[],
): EventToAppend<E>[] =>
  events.map((event, index) => ({
    event,
    eventId: derivedEventId(streamId, metadata, index),
    metadata,
  }));

/** Appends after `revision`, which is -1 for a stream without events. */
export const appendAfter = async (
  eventStore: EventStore,
  { streamId, revision }: Readonly<{ streamId: string; revision: bigint }>,
  events: readonly EventToAppend[],
): Promise<AppendResult | 'conflict'> => {
  const expected = revision < 0n ? 'no-stream' : revision;
  try {
    return await eventStore.append(streamId, events, expected);
  } catch (error) {
    if (isWrongExpectedRevision(error)) return 'conflict';
    throw error;
  }
};
