import type { Event, Recorded } from '../../../domain/shared/event.ts';
import type { EventStore } from '../../../infra/ports/event-store.ts';
import type { SimLog } from './sim-log.ts';

const refuse = async (): Promise<never> => {
  throw new Error('this reader writes nothing');
};

/** The log for one who stands beside it: no network, no writing. */
export const directStore = (log: SimLog): EventStore => ({
  append: refuse,
  async *readStream<E extends Event>(streamId: string, options = {}) {
    yield* log.read(streamId, options) as readonly Recorded<E>[];
  },
  async *readAll({ after } = {}) {
    yield* log.after(after ?? null);
  },
  subscribeToAll: () => {
    throw new Error('this reader follows nothing');
  },
  head: async () => log.head,
  boundStream: refuse,
  tombstoneStream: refuse,
  close: async () => undefined,
});
