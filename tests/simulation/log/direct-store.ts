import type { Event, Recorded } from '../../../domain/shared/event.ts';
import type {
  EventStore,
  ReadAllOptions,
  ReadStreamOptions,
} from '../../../infra/ports/event-store.ts';
import type { SimLog } from './sim-log.ts';

/**
 * The log without a network: read-only. A class for the sake of its generators, as the client of
 * the log (`log-client.ts`).
 */
class DirectStore implements EventStore {
  readonly #log: SimLog;

  constructor(log: SimLog) {
    this.#log = log;
  }

  async append(): Promise<never> {
    throw new Error('this reader writes nothing');
  }

  async *readStream<E extends Event>(
    streamId: string,
    options: ReadStreamOptions = {},
  ): AsyncGenerator<Recorded<E>> {
    yield* this.#log.read(streamId, options) as readonly Recorded<E>[];
  }

  async *readAll({ after }: ReadAllOptions = {}): AsyncGenerator<Recorded> {
    yield* this.#log.after(after ?? null);
  }

  subscribeToAll(): never {
    throw new Error('this reader follows nothing');
  }

  async head(): Promise<bigint | null> {
    return this.#log.head;
  }

  boundStream = this.append;
  tombstoneStream = this.append;

  async close(): Promise<void> {}
}

export const directStore = (log: SimLog): EventStore => new DirectStore(log);
