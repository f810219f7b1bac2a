import type { AppendResult, EventStore, EventToAppend } from '../../infra/ports/event-store.ts';
import { appendAfter } from './append.ts';
import { retryOnConflict } from './retry.ts';

/** Result of a decision: the answer, and the events that make it true. */
export type Decided<T> = Readonly<{
  value: T;
  events: readonly EventToAppend[];
  /**
   * A refusal or a no-op: without an append no revision check shows that memory was up to date, so
   * it is final only on what the log holds now.
   */
  needsTail: boolean;
}>;

/** Source and cache of the state of one stream. */
export interface AggregateSlot<A> {
  readonly streamId: string;
  /** null: this process holds no state of the stream. */
  remembered(): A | null;
  /** From the log: the newest snapshot where there are snapshots, and all events after it. */
  load(): Promise<A>;
  /** Folds what the log holds beyond; gives the same aggregate back, or its successor. */
  readTail(aggregate: A): Promise<A>;
  /** Revision of the newest folded event; -1 before the first. */
  revisionOf(aggregate: A): bigint;
  /** These events are in the log now. */
  appended(aggregate: A, events: readonly EventToAppend[], result: AppendResult): void;
  /** The state of the log is uncertain now. */
  forget(): void;
}

type Outcome<T> = Readonly<{ value: T; append: AppendResult | null }>;

/**
 * The one way from commands to events: load, decide, check an empty decision against the log, append
 * at the loaded revision, and again on a conflict. `decide` may be called several times.
 */
export const decideAndAppend = <A, T>(
  eventStore: EventStore,
  slot: AggregateSlot<A>,
  decide: (aggregate: A) => Promise<Decided<T>>,
): Promise<Outcome<T>> => {
  const { streamId } = slot;

  const decideOnTail = async (remembered: A): Promise<Attempt<A, T>> => {
    const revision = slot.revisionOf(remembered);
    const decided = await decide(remembered);
    if (!decided.needsTail) return { aggregate: remembered, revision, decided };
    const aggregate = await slot.readTail(remembered);
    const newest = slot.revisionOf(aggregate);
    if (newest === revision) return { aggregate, revision, decided };
    return { aggregate, revision: newest, decided: await decide(aggregate) };
  };

  const decideOnLog = async (): Promise<Attempt<A, T>> => {
    const aggregate = await slot.load();
    const revision = slot.revisionOf(aggregate);
    return { aggregate, revision, decided: await decide(aggregate) };
  };

  return retryOnConflict(streamId, async () => {
    const remembered = slot.remembered();
    const attempt = remembered === null ? await decideOnLog() : await decideOnTail(remembered);
    const { aggregate, revision, decided } = attempt;
    const { value, events } = decided;
    if (events.length === 0) return { value, append: null };
    try {
      const append = await appendAfter(eventStore, { streamId, revision }, events);
      if (append === 'conflict') {
        slot.forget();
        return append;
      }
      slot.appended(aggregate, events, append);
      return { value, append };
    } catch (error) {
      slot.forget();
      throw error;
    }
  });
};

type Attempt<A, T> = Readonly<{ aggregate: A; revision: bigint; decided: Decided<T> }>;
