import { type IdsReserved, idsStreamId } from '../../domain/shared/identity.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore, UnreadableEvent } from '../../infra/ports/event-store.ts';
import { isWrongExpectedRevision } from '../shared/errors.ts';
import { createKeyedMutex } from '../shared/keyed-mutex.ts';
import { systemMetadata } from '../shared/metadata.ts';

export type IdCategory = 'user' | 'token' | 'channel' | 'redemption';

/** Ids taken from the log at a time. A restart skips what is left of a block, so blocks are small. */
const blockSizes: Record<IdCategory, number> = {
  user: 10,
  token: 20,
  channel: 10,
  redemption: 100,
};

export interface Ids {
  next(category: IdCategory): Promise<number>;
  /** The highest id that any process may have given out; 0 when none. */
  highest(category: IdCategory): Promise<number>;
}

/** Numbers from hi/lo blocks: unique across processes, rising within one, starting at 1. */
export const createIds = (eventStore: EventStore, clock: Clock): Ids => {
  const blocks = new Map<IdCategory, { next: number; last: number }>();
  const inTurn = createKeyedMutex();

  const newest = async (category: IdCategory) => {
    const streamId = idsStreamId(category);
    let head: bigint | null = null;
    const onUnreadable = ({ revision }: UnreadableEvent): void => {
      head ??= revision;
    };
    const range = { maxCount: 1, backwards: true, onUnreadable };
    for await (const { event, revision } of eventStore.readStream<IdsReserved>(streamId, range)) {
      return { to: event.data.to, revision: head ?? revision };
    }
    return { to: 0, revision: head };
  };

  const reserve = async (category: IdCategory): Promise<{ next: number; last: number }> => {
    for (;;) {
      const { to, revision } = await newest(category);
      const block = { from: to + 1, to: to + blockSizes[category] };
      const metadata = systemMetadata('ids', clock);
      const event: IdsReserved = { type: 'IdsReserved', data: { category, ...block } };
      const toAppend = { event, eventId: metadata.commandId, metadata };
      try {
        await eventStore.append(idsStreamId(category), [toAppend], revision ?? 'no-stream');
        return { next: block.from, last: block.to };
      } catch (error) {
        // Another process was faster; the next block is ours.
        if (!isWrongExpectedRevision(error)) throw error;
      }
    }
  };

  return {
    next: (category) =>
      inTurn(category, async () => {
        let block = blocks.get(category);
        if (!block || block.next > block.last) block = await reserve(category);
        blocks.set(category, block);
        const id = block.next;
        block.next += 1;
        return id;
      }),
    highest: async (category) => (await newest(category)).to,
  };
};
