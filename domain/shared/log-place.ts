import type { Recorded } from './event.ts';

/** A place in the log and the event there. */
export type LogPlace = Readonly<{ position: bigint; eventId: string }>;

export const logPlaceOf = ({ position, eventId }: Recorded): LogPlace => ({ position, eventId });

/** What checking one place needs of the log. */
export type ReadableLog = Readonly<{
  head(): Promise<bigint | null>;
  readAll(options: Readonly<{ from: bigint; maxCount: number }>): AsyncIterable<Recorded>;
}>;

const firstFrom = async (eventStore: ReadableLog, from: bigint): Promise<Recorded | null> => {
  for await (const recorded of eventStore.readAll({ from, maxCount: 1 })) return recorded;
  return null;
};

/** An event that the store has removed since proves nothing: a later one follows. */
const holdsOneOf = async (
  log: ReadableLog,
  position: bigint,
  eventIds: readonly string[],
): Promise<boolean> => {
  const found = await firstFrom(log, position);
  return found !== null && (found.position !== position || eventIds.includes(found.eventId));
};

/**
 * Whether what was read up to this place can be of this log. Not when the log ends before it, or
 * holds another event there.
 */
export const holdsPlace = async (
  eventStore: ReadableLog,
  { position, eventId }: LogPlace,
): Promise<boolean> => holdsOneOf(eventStore, position, [eventId]);

/**
 * The log no longer holds an event that a subscription has delivered: it was restored from an older backup,
 * or is another one. What was made of its events in memory cannot be trusted.
 */
export class LogReplacedError extends Error {
  readonly at: LogPlace;
  constructor(at: LogPlace) {
    super(`the log does not hold event ${at.eventId} at position ${at.position} any more`);
    this.name = 'LogReplacedError';
    this.at = at;
  }
}

/** After an answer of the log, for so long it is taken for the same log. */
const trustMs = 1_000;
/** What a store answers for an append that it had already may be no place at all. */
const maxPosition = 2n ** 62n;

/** What `append` answers; null: nothing was written. */
type Appended = Readonly<{ position: bigint }> | null;

/**
 * Keeps a process from appending to a log that replaced the one it has followed: revisions that it
 * remembers may exist there again, with other events. A restore takes longer than a second, so
 * after a second without an answer, and after every failure, the newest event that was delivered or
 * appended is read before the next append, and when a subscription reconnects. From then on nothing
 * is appended.
 */
export class LogGuard {
  readonly #log: ReadableLog;
  /** Monotonic milliseconds. */
  readonly #now: () => number;
  /** The newest recorded place, and the event there: one of these. */
  #known: Readonly<{ position: bigint; eventIds: readonly string[] }> | null = null;
  #trustedUntil = Number.NEGATIVE_INFINITY;
  #replaced: LogReplacedError | null = null;
  /** An append was requested. */
  #appends = false;
  readonly #listeners = new Set<(error: LogReplacedError) => void>();

  constructor(log: ReadableLog, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  /** Of the events that a subscription has delivered. */
  delivered({ position, eventId }: Recorded): void {
    this.#note(position, [eventId]);
  }

  /**
   * A subscription begins that has read up to there before: the next check of the log is for that
   * place.
   */
  resumed({ position, eventId }: LogPlace): void {
    this.#note(position, [eventId]);
  }

  /**
   * @throws LogReplacedError where the log is another by now; whatever `append` and the check throw
   */
  async append<T extends Appended>(
    eventIds: readonly string[],
    append: () => Promise<T>,
  ): Promise<T> {
    const startedAt = this.#now();
    this.#appends = true;
    if (this.#replaced !== null) throw this.#replaced;
    try {
      if (startedAt >= this.#trustedUntil) await this.check();
      const result = await append();
      this.#trustedUntil = startedAt + trustMs;
      if (result !== null) this.#note(result.position, eventIds);
      return result;
    } catch (error) {
      this.#trustedUntil = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  /**
   * Returns how to stop listening. A process that appends cannot continue from the moment at which
   * another log was found, so a listener that is added afterwards is called at once; one that only
   * reads may begin again.
   */
  onReplaced(listener: (error: LogReplacedError) => void): () => void {
    if (this.#replaced !== null && this.#appends) listener(this.#replaced);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Of a subscription that reconnects: the log may have been replaced meanwhile.
   * @throws LogReplacedError where it does not hold the newest event that was delivered or appended
   */
  async check(): Promise<void> {
    const known = this.#known;
    if (known === null) return;
    const { position, eventIds } = known;
    if (await holdsOneOf(this.#log, position, eventIds)) return;
    const error = new LogReplacedError({ position, eventId: eventIds.at(-1) ?? '' });
    this.#replaced = error;
    // A subscription of a process that only reads follows the log that is there from now on.
    this.#known = null;
    for (const listener of [...this.#listeners]) listener(error);
    throw error;
  }

  #note(position: bigint, eventIds: readonly string[]): void {
    const isNewer = position > (this.#known?.position ?? -1n) && position < maxPosition;
    if (isNewer) this.#known = { position, eventIds };
  }
}
