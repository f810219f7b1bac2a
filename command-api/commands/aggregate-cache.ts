import { LRUCache } from 'lru-cache';
import type { Event, Recorded } from '../../domain/shared/event.ts';
import type {
  AppendResult,
  EventStore,
  EventToAppend,
  UnreadableEvent,
} from '../../infra/ports/event-store.ts';
import { type Aggregate, advance, emptyAggregate } from './aggregate.ts';
import type { AggregateSlot } from './decide-and-append.ts';

export type FoldRules<E extends Event, S> = Readonly<{
  initialState: S;
  evolve: (state: S, event: E) => S;
}>;

const keptStreams = 20_000;

/**
 * Streams folded in memory; the least recently used ones are dropped. Each stream belongs to one
 * decider, which its category names, so the states keep their types.
 */
export class AggregateCache {
  readonly #eventStore: EventStore;
  readonly #kept: LRUCache<string, Aggregate<unknown>>;
  /** Streams being read, each with the newest revision that was observed meanwhile. */
  readonly #reading = new Map<string, bigint>();

  constructor(eventStore: EventStore, keep = keptStreams) {
    this.#eventStore = eventStore;
    this.#kept = new LRUCache({ max: keep });
  }

  recall<S>(streamId: string): Aggregate<S> | null {
    return (this.#kept.get(streamId) as Aggregate<S> | undefined) ?? null;
  }

  /** Folds what the log holds after `start`. */
  async read<E extends Event, S>(
    { evolve }: FoldRules<E, S>,
    streamId: string,
    start: Aggregate<S>,
  ): Promise<Aggregate<S>> {
    let aggregate = start;
    const from = start.revision + 1n;
    this.#reading.set(streamId, -1n);
    const onUnreadable = ({ revision }: UnreadableEvent): void => {
      aggregate = { ...aggregate, revision };
    };
    const events = this.#eventStore.readStream<E>(streamId, { from, onUnreadable });
    for await (const recorded of events) aggregate = advance(aggregate, recorded, evolve);
    // A stream that does not exist is not kept: the next caller may wait for it to appear.
    const isUpToDate = aggregate.revision >= (this.#reading.get(streamId) ?? -1n);
    this.#reading.delete(streamId);
    if (aggregate.revision >= 0n && isUpToDate) this.#kept.set(streamId, aggregate);
    return aggregate;
  }

  /** Drops a state in memory that is older than this event. */
  observe({ streamId, revision }: Recorded): void {
    const remembered = this.#kept.get(streamId);
    if (remembered && remembered.revision < revision) this.#kept.delete(streamId);
    if ((this.#reading.get(streamId) ?? revision) < revision) {
      this.#reading.set(streamId, revision);
    }
  }

  slotOf<E extends Event, S>(
    rules: FoldRules<E, S>,
    streamId: string,
  ): AggregateSlot<Aggregate<S>> {
    return {
      streamId,
      remembered: () => this.recall<S>(streamId),
      load: () => this.read(rules, streamId, emptyAggregate(rules.initialState)),
      readTail: (aggregate) => this.read(rules, streamId, aggregate),
      revisionOf: ({ revision }) => revision,
      appended: (aggregate, events, result) => {
        const first = result.revision - BigInt(events.length) + 1n;
        const next = this.#fold(rules, { streamId, first, result, aggregate }, events);
        this.#kept.set(streamId, next);
      },
      forget: () => {
        this.#kept.delete(streamId);
      },
    };
  }

  #fold<E extends Event, S>(
    { evolve }: FoldRules<E, S>,
    {
      streamId,
      first,
      result: { position },
      aggregate,
    }: Readonly<{
      streamId: string;
      first: bigint;
      result: AppendResult;
      aggregate: Aggregate<S>;
    }>,
    events: readonly EventToAppend[],
  ): Aggregate<S> {
    let next = aggregate;
    for (const [index, appended] of events.entries()) {
      const revision = first + BigInt(index);
      const recorded = { ...appended, streamId, revision, position } as Recorded<E>;
      next = advance(next, recorded, evolve);
    }
    return next;
  }
}
