import type { AccountEvent } from '../../domain/account/events.ts';
import { accountStreamId } from '../../domain/account/stream.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Random } from '../../infra/ports/random.ts';
import { isWrongExpectedRevision } from '../errors.ts';
import { type Books, loadBooks, refreshBooks, snapshotOf } from './books.ts';
import { Desk, type Work } from './desk.ts';
import { lookUp, type Question } from './lookup.ts';

/** What a work came to, and where its append stands in the log; null when nothing was written. */
export type Done<T> = Readonly<{ value: T; position: bigint | null }>;

type Waiting = Readonly<{
  work: Work<unknown>;
  resolve: (done: Done<unknown>) => void;
  reject: (error: unknown) => void;
}>;

type Lane = { readonly userId: UserId; books: Books | null; queue: Waiting[]; running: boolean };

type Settings = Readonly<{
  eventStore: EventStore;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Accounts kept in memory. */
  keep: number;
  /** Awaited before quota is leased, so that the lease is found again after a crash. */
  beforeLease: (userId: UserId) => Promise<void> | null;
  /** The books were read from the log. */
  onLoaded: (books: Books) => void;
  /** These events are in the log now. */
  onAppended: (books: Books, events: readonly AccountEvent[]) => void;
}>;

/** Events of one append; the log takes about 1 MB at once. */
const largestAppend = 256;
/** An account opens from its snapshot and a tail about as long as this: some 10 ms of reading. */
const eventsPerSnapshot = 250;
const maxAttempts = 12;

/**
 * Accounts in memory, each with one lane: works wait while an append is under way and are then
 * decided together, so that an append carries as many as came in the meantime.
 */
export class AccountLanes {
  readonly #settings: Settings;
  readonly #lanes = new Map<UserId, Lane>();
  readonly #bounded = new Set<UserId>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get size(): number {
    return this.#lanes.size;
  }

  do<T>(userId: UserId, work: Work<T>): Promise<Done<T>> {
    const lane = this.#laneOf(userId);
    return new Promise((resolve, reject) => {
      lane.queue.push({ work, resolve: resolve as (done: Done<unknown>) => void, reject });
      if (!lane.running) void this.#run(lane);
    });
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    const busy = [...this.#lanes.values()].filter(({ running }) => running);
    const look: Work<null> = { size: 0, questions: () => [], run: () => null };
    await Promise.allSettled(busy.map(({ userId }) => this.do(userId, look)));
  }

  #laneOf(userId: UserId): Lane {
    const known = this.#lanes.get(userId);
    if (known !== undefined) {
      this.#lanes.delete(userId);
      this.#lanes.set(userId, known);
      return known;
    }
    const lane: Lane = { userId, books: null, queue: [], running: false };
    this.#lanes.set(userId, lane);
    this.#forgetOldest();
    return lane;
  }

  #forgetOldest(): void {
    if (this.#lanes.size <= this.#settings.keep) return;
    for (const [userId, { running }] of this.#lanes) {
      if (running) continue;
      this.#lanes.delete(userId);
      return;
    }
  }

  async #run(lane: Lane): Promise<void> {
    lane.running = true;
    while (lane.queue.length > 0) {
      const round = takeRound(lane);
      try {
        await this.#settle(lane, round);
      } catch (error) {
        // What stands in the log is not known now: the next round reads it again.
        lane.books = null;
        for (const { reject } of round) reject(error);
      }
    }
    lane.running = false;
  }

  async #settle(lane: Lane, round: readonly Waiting[]): Promise<void> {
    let isRefreshed = false;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const wasInMemory = lane.books !== null;
      const books = lane.books ?? (await this.#load(lane));
      const { desk, values } = await this.#decide(books, round);
      if (desk.events.length === 0) {
        // One look at the log after the works came in is enough, however fast it moves on.
        const isDoubtful = desk.doubtful && wasInMemory && !isRefreshed;
        isRefreshed = true;
        if (isDoubtful && (await this.#refresh(books))) continue;
        finish(round, values, null);
        return;
      }
      const position = await this.#append(lane, books, desk);
      if (position === 'conflict') continue;
      finish(round, values, position);
      this.#settings.onAppended(
        books,
        desk.events.map(({ event }) => event),
      );
      this.#snapshot(books);
      return;
    }
    throw new Error(`account ${lane.userId} moved on ${maxAttempts} times in a row`);
  }

  async #load(lane: Lane): Promise<Books> {
    const books = await loadBooks(this.#settings.eventStore, lane.userId);
    lane.books = books;
    this.#settings.onLoaded(books);
    return books;
  }

  async #refresh(books: Books): Promise<boolean> {
    const moved = await refreshBooks(this.#settings.eventStore, books);
    if (moved) this.#settings.onLoaded(books);
    return moved;
  }

  async #decide(books: Books, round: readonly Waiting[]) {
    const questions: Question[] = [];
    for (const { work } of round) questions.push(...work.questions(books.state, books.commands));
    const findings = await lookUp(this.#settings.eventStore, books.userId, questions);
    const desk = new Desk(books, findings, this.#settings.random);
    const values = round.map(({ work }) => work.run(desk));
    return { desk, values };
  }

  async #append(lane: Lane, books: Books, { events }: Desk): Promise<bigint | 'conflict'> {
    const { eventStore, beforeLease } = this.#settings;
    if (events.some(({ event }) => event.type === 'QuotaLeased')) {
      await beforeLease(books.userId);
    }
    const before = books.state.eventCount - events.length;
    const expected = before === 0 ? 'no-stream' : BigInt(before - 1);
    try {
      const { position } = await eventStore.append(accountStreamId(lane.userId), events, expected);
      books.position = position;
      return position;
    } catch (error) {
      lane.books = null;
      if (isWrongExpectedRevision(error)) return 'conflict';
      throw error;
    }
  }

  /** Nobody waits for it: an account without one is folded from further back. */
  #snapshot(books: Books): void {
    if (books.eventsSinceSnapshot < eventsPerSnapshot) return;
    books.eventsSinceSnapshot = 0;
    const { eventStore, clock, logger } = this.#settings;
    const { streamId, event } = snapshotOf(books, clock().toISOString());
    const write = async (): Promise<void> => {
      await eventStore.append(streamId, [event], 'any');
      if (this.#bounded.has(books.userId)) return;
      if (this.#bounded.size > 10_000) this.#bounded.clear();
      this.#bounded.add(books.userId);
      await eventStore.boundStream(streamId, { maxCount: 1 });
    };
    write().catch((error: unknown) => {
      logger.warn({ userId: books.userId, error: String(error) }, 'no snapshot taken');
    });
  }
}

const takeRound = (lane: Lane): readonly Waiting[] => {
  let size = 0;
  let count = 0;
  for (const { work } of lane.queue) {
    if (count > 0 && size + work.size > largestAppend) break;
    size += work.size;
    count += 1;
  }
  return lane.queue.splice(0, count);
};

const finish = (
  round: readonly Waiting[],
  values: readonly unknown[],
  position: bigint | null,
): void => {
  for (const [index, { resolve }] of round.entries()) resolve({ value: values[index], position });
};
