import type { Event, Metadata } from '../../domain/shared/event.ts';
import type { IdVoided, ValueClaimed } from '../../domain/shared/identity.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore, UnreadableEvent } from '../../infra/ports/event-store.ts';
import { isWrongExpectedRevision } from '../shared/errors.ts';
import { uuidFrom } from '../shared/uuid.ts';

/** A unique value and who is to own it. */
export type Claim = Readonly<{
  /** For the reader of the log: `username`, `tokenKey`, ... */
  kind: string;
  /** `<kind>-<hash>` */
  streamId: string;
  ownerId: number;
  /** The stream whose first event makes the owner exist. */
  ownerStreamId: string;
}>;

export type ClaimAnswer = Readonly<
  | { kind: 'granted' }
  /** The same command claimed it before, for this owner. */
  | { kind: 'repeated'; ownerId: number }
  | { kind: 'taken'; ownerId: number }
>;

export interface Claims {
  /** `isGivenUp` checks whether the owner, who exists, holds the value no more. */
  claim(
    claim: Claim,
    metadata: Metadata,
    isGivenUp?: (ownerId: number) => Promise<boolean>,
  ): Promise<ClaimAnswer>;
  /** The owner of the value; null when it is free. */
  owner(streamId: string): Promise<number | null>;
}

/** A claim whose owner does not exist after this long was left behind by a crash. */
const graceMs = 10_000;

type Held = Readonly<{ claim: ValueClaimed; metadata: Metadata; revision: bigint }>;
type Intent = Readonly<{
  metadata: Metadata;
  ownerId: number;
  isGivenUp: (ownerId: number) => Promise<boolean>;
}>;

/**
 * Uniqueness over the log: the first append to a claim stream wins. A crash between claim and
 * creation leaves an orphan. After the grace the next claimant fences the orphan's id off with
 * `IdVoided` as the first event of its stream, and takes the value over. A creator that was merely
 * slow finds its stream no longer empty and is refused, so no clock decides who owns a value.
 */
export const createClaims = (eventStore: EventStore, clock: Clock): Claims => {
  const held = async (streamId: string): Promise<Held | null> => {
    let head: bigint | null = null;
    const onUnreadable = ({ revision }: UnreadableEvent): void => {
      head ??= revision;
    };
    const range = { maxCount: 1, backwards: true, onUnreadable };
    for await (const recorded of eventStore.readStream<ValueClaimed>(streamId, range)) {
      const { event, metadata, revision } = recorded;
      return { claim: event, metadata, revision: head ?? revision };
    }
    return null;
  };

  const append = async (
    streamId: string,
    { event, metadata }: Readonly<{ event: Event; metadata: Metadata }>,
    expected: bigint | 'no-stream',
  ): Promise<boolean> => {
    const eventId = uuidFrom(`${streamId}/${metadata.commandId}/${expected}`);
    try {
      await eventStore.append(streamId, [{ event, eventId, metadata }], expected);
      return true;
    } catch (error) {
      if (isWrongExpectedRevision(error)) return false;
      throw error;
    }
  };

  const exists = async (streamId: string): Promise<'yes' | 'no' | 'voided'> => {
    for await (const { event } of eventStore.readStream(streamId, { maxCount: 1 })) {
      return event.type === 'IdVoided' ? 'voided' : 'yes';
    }
    return 'no';
  };

  const isOld = ({ metadata }: Held): boolean =>
    clock().getTime() - Date.parse(metadata.occurredAt) >= graceMs;

  /** True when the owner's id is fenced. */
  const fenceOff = async (held: Held, metadata: Metadata): Promise<boolean> => {
    const { ownerStreamId, kind } = held.claim.data;
    const owner = await exists(ownerStreamId);
    if (owner !== 'no') return owner === 'voided';
    if (!isOld(held)) return false;
    const event: IdVoided = { type: 'IdVoided', data: { streamId: ownerStreamId, kind } };
    if (await append(ownerStreamId, { event, metadata }, 'no-stream')) return true;
    return (await exists(ownerStreamId)) === 'voided';
  };

  /** null: the value is free to be taken over. */
  const answerOf = async (
    present: Held,
    { metadata, ownerId, isGivenUp }: Intent,
  ): Promise<ClaimAnswer | null> => {
    const { ownerId: holder } = present.claim.data;
    if (present.metadata.commandId === metadata.commandId) {
      return { kind: 'repeated', ownerId: holder };
    }
    if (holder === ownerId) return { kind: 'granted' };
    if (await fenceOff(present, metadata)) return null;
    // Who claimed it a moment ago may be about to use it.
    const isFree = isOld(present) && (await isGivenUp(holder));
    return isFree ? null : { kind: 'taken', ownerId: holder };
  };

  const attempt = async (claim: Claim, intent: Intent): Promise<ClaimAnswer | 'again'> => {
    const { kind, streamId, ownerId, ownerStreamId } = claim;
    const { metadata } = intent;
    const present = await held(streamId);
    const answer = present === null ? null : await answerOf(present, intent);
    if (answer !== null) return answer;
    const event: ValueClaimed = { type: 'ValueClaimed', data: { kind, ownerId, ownerStreamId } };
    const expected = present ? present.revision : 'no-stream';
    const isOurs = await append(streamId, { event, metadata }, expected);
    return isOurs ? { kind: 'granted' } : 'again';
  };

  return {
    async claim(claim, metadata, isGivenUp = async () => false) {
      for (;;) {
        const { ownerId } = claim;
        const answer = await attempt(claim, { metadata, ownerId, isGivenUp });
        // Another claimant was faster; its identity decides the answer.
        if (answer !== 'again') return answer;
      }
    },
    owner: async (streamId) => (await held(streamId))?.claim.data.ownerId ?? null,
  };
};
