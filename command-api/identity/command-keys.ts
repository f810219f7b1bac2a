import { accountStreamId } from '../../domain/account/stream.ts';
import type { Metadata } from '../../domain/shared/event.ts';
import type { ValueClaimed } from '../../domain/shared/identity.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import { derivedEventId } from '../commands/append.ts';
import { isWrongExpectedRevision } from '../shared/errors.ts';

const commandKeyStreamId = (commandId: string): string => `commandKey-${commandId}`;

/** Where keys of clients (`Idempotency-Key`) were first seen. */
export interface CommandKeys {
  /** The place in the log of the first request with this key: its effects are later in the log. */
  claim(metadata: Metadata, userId: UserId): Promise<bigint>;
}

/**
 * A request that a client may repeat stores its key in the log before it moves money. A repeat,
 * however late, finds that place and searches for its effects after it. Without it either a clock
 * would have to bound the search, or each keyed request on a busy account would read the whole of
 * its stream.
 */
export const createCommandKeys = (eventStore: EventStore): CommandKeys => ({
  async claim(metadata, userId) {
    const { commandId } = metadata;
    const streamId = commandKeyStreamId(commandId);
    const event: ValueClaimed = {
      type: 'ValueClaimed',
      data: { kind: 'commandKey', ownerId: userId, ownerStreamId: accountStreamId(userId) },
    };
    const claim = { event, eventId: derivedEventId(streamId, { commandId }, 0), metadata };
    try {
      return (await eventStore.append(streamId, [claim], 'no-stream')).position;
    } catch (error) {
      if (!isWrongExpectedRevision(error)) throw error;
    }
    for await (const { position } of eventStore.readStream(streamId, { maxCount: 1 })) {
      return position;
    }
    throw new Error(`the key of command ${commandId} was claimed and is not there`);
  },
});
