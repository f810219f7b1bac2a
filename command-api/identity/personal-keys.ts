import { LRUCache } from 'lru-cache';
import type { Metadata } from '../../domain/shared/event.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { PersonalKeyCreated } from '../../domain/user/events.ts';
import { personalKeyStreamId } from '../../domain/user/stream.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { PersonalSeal, Vault } from '../../infra/ports/vault.ts';
import { isWrongExpectedRevision } from '../shared/errors.ts';
import { uuidFrom } from '../shared/uuid.ts';

export interface PersonalKeys {
  /** The seal of a person who is about to be; made when there is none. */
  create(userId: UserId, metadata: Metadata): Promise<PersonalSeal>;
  /** null: the key is gone, and with it everything sealed under it. */
  get(userId: UserId): Promise<PersonalSeal | null>;
  /**
   * Makes the person's data unreadable for ever. A tombstone and not a soft deletion: EventStoreDB
   * never removes the last event of a stream that may continue, and the key is the last one of its
   * stream.
   */
  destroy(userId: UserId): Promise<void>;
}

const keptKeys = 10_000;

export const createPersonalKeys = (eventStore: EventStore, vault: Vault): PersonalKeys => {
  const kept = new LRUCache<UserId, PersonalSeal>({ max: keptKeys });

  const get = async (userId: UserId): Promise<PersonalSeal | null> => {
    const known = kept.get(userId);
    if (known) return known;
    const streamId = personalKeyStreamId(userId);
    for await (const { event } of eventStore.readStream<PersonalKeyCreated>(streamId)) {
      const seal = vault.personalSeal(userId, event.data.wrappedKey);
      kept.set(userId, seal);
      return seal;
    }
    return null;
  };

  return {
    get,
    async create(userId, metadata) {
      const event: PersonalKeyCreated = {
        type: 'PersonalKeyCreated',
        data: { userId, wrappedKey: vault.createPersonalKey(userId) },
      };
      const streamId = personalKeyStreamId(userId);
      const eventId = uuidFrom(`${streamId}/${metadata.commandId}`);
      // The address cannot be sealed under the key that this event brings.
      const { ip: _, ...actor } = metadata.actor;
      try {
        const made = { event, eventId, metadata: { ...metadata, actor } };
        await eventStore.append(streamId, [made], 'no-stream');
      } catch (error) {
        // A repeat of the same registration: the key of the first time holds.
        if (!isWrongExpectedRevision(error)) throw error;
      }
      const seal = await get(userId);
      if (!seal) throw new Error(`personal key of user ${userId} is gone`);
      return seal;
    },
    async destroy(userId) {
      kept.delete(userId);
      await eventStore.tombstoneStream(personalKeyStreamId(userId));
    },
  };
};
