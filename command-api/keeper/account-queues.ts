import type { AccountEvent } from '../../domain/account/events.ts';
import { accountStreamId } from '../../domain/account/stream.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Random } from '../../infra/ports/random.ts';
import {
  type AggregateSlot,
  type Decided,
  decideAndAppend,
} from '../commands/decide-and-append.ts';
import { CommandBatch, noOp, type Work } from './command-batch.ts';
import { type LoadedAccount, loadAccount, readAccountTail, snapshotOf } from './load-account.ts';
import { lookUp, type Question } from './lookup.ts';

/** Result of a work item, and the place of its append in the log; null when nothing was written. */
type Done<T> = Readonly<{ value: T; position: bigint | null }>;

type Waiting = Readonly<{
  work: Work<unknown>;
  resolve: (done: Done<unknown>) => void;
  reject: (error: unknown) => void;
}>;

type Queue = {
  readonly userId: UserId;
  /** null: to be loaded from the log. */
  account: LoadedAccount | null;
  waiting: Waiting[];
  running: boolean;
};

type Settings = Readonly<{
  eventStore: EventStore;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Accounts kept in memory. */
  keep: number;
  /** Awaited before quota is leased, so that the lease is found again after a crash. */
  beforeLease: (userId: UserId) => Promise<void> | null;
  /** The account was read from the log. */
  onLoaded: (account: LoadedAccount) => void;
  /** These events are in the log now. */
  onAppended: (account: LoadedAccount, events: readonly AccountEvent[]) => void;
}>;

/** Events of one append; the log takes about 1 MB at once. */
const maxAppend = 256;
/** An account opens from its snapshot and a tail about as long as this: some 10 ms of reading. */
const eventsPerSnapshot = 250;

/**
 * The pipeline of `commands/decide-and-append.ts` for accounts. Each account has a queue: works
 * wait while an append is under way and are then decided together, so that an append carries as
 * many as arrived in the meantime.
 */
export class AccountQueues {
  readonly #settings: Settings;
  readonly #queues = new Map<UserId, Queue>();
  /** Snapshot streams with one event at most, as far as this process has set it. */
  readonly #bounded = new Set<UserId>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get size(): number {
    return this.#queues.size;
  }

  do<T>(userId: UserId, work: Work<T>): Promise<Done<T>> {
    const queue = this.#queueOf(userId);
    return new Promise((resolve, reject) => {
      queue.waiting.push({ work, resolve: resolve as (done: Done<unknown>) => void, reject });
      if (!queue.running) void this.#run(queue);
    });
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    const busy = [...this.#queues.values()].filter(({ running }) => running);
    await Promise.allSettled(busy.map(({ userId }) => this.do(userId, noOp)));
  }

  #queueOf(userId: UserId): Queue {
    const known = this.#queues.get(userId);
    if (known !== undefined) {
      this.#queues.delete(userId);
      this.#queues.set(userId, known);
      return known;
    }
    const queue: Queue = { userId, account: null, waiting: [], running: false };
    this.#queues.set(userId, queue);
    this.#forgetOldest();
    return queue;
  }

  #forgetOldest(): void {
    if (this.#queues.size <= this.#settings.keep) return;
    for (const [userId, { running }] of this.#queues) {
      if (running) continue;
      this.#queues.delete(userId);
      return;
    }
  }

  async #run(queue: Queue): Promise<void> {
    queue.running = true;
    while (queue.waiting.length > 0) {
      const round = takeRound(queue);
      try {
        await this.#settle(queue, round);
      } catch (error) {
        // Decisions folded events that the log may not hold: the next round reads it again.
        queue.account = null;
        for (const { reject } of round) reject(error);
      }
    }
    queue.running = false;
  }

  async #settle(queue: Queue, round: readonly Waiting[]): Promise<void> {
    const { eventStore } = this.#settings;
    const decide = (account: LoadedAccount) => this.#decide(account, round);
    const { value: values, append } = await decideAndAppend(
      eventStore,
      this.#slotOf(queue),
      decide,
    );
    const position = append?.position ?? null;
    for (const [index, { resolve }] of round.entries()) resolve({ value: values[index], position });
    if (queue.account !== null) this.#snapshot(queue.account);
  }

  #slotOf(queue: Queue): AggregateSlot<LoadedAccount> {
    const { eventStore, onLoaded, onAppended } = this.#settings;
    const countOf = ({ state }: LoadedAccount): number => state.eventCount;
    return {
      streamId: accountStreamId(queue.userId),
      remembered: () => queue.account,
      load: async () => {
        const account = await loadAccount(eventStore, queue.userId);
        queue.account = account;
        onLoaded(account);
        return account;
      },
      readTail: async (account) => {
        const before = countOf(account);
        await readAccountTail(eventStore, account);
        if (countOf(account) !== before) onLoaded(account);
        return account;
      },
      revisionOf: (account) => BigInt(countOf(account) - 1),
      appended: (account, events, { position }) => {
        account.position = position;
        onAppended(
          account,
          events.map(({ event }) => event as AccountEvent),
        );
      },
      forget: () => {
        queue.account = null;
      },
    };
  }

  async #decide(
    account: LoadedAccount,
    round: readonly Waiting[],
  ): Promise<Decided<readonly unknown[]>> {
    const { eventStore, random, beforeLease } = this.#settings;
    const { userId } = account;
    const { eventCount } = account.state;
    const questions: Question[] = [];
    for (const { work } of round)
      questions.push(...work.questions(account.state, account.commands));
    const findings = await lookUp(eventStore, { userId, eventCount }, questions);
    const batch = new CommandBatch(account, findings, random);
    const values = round.map(({ work }) => work.run(batch));
    const { events } = batch;
    if (events.some(({ event }) => event.type === 'QuotaLeased')) await beforeLease(userId);
    return { value: values, events, needsTail: events.length === 0 && batch.needsTail };
  }

  /** In the background: an account without a snapshot is folded from further back. */
  #snapshot(account: LoadedAccount): void {
    if (account.eventsSinceSnapshot < eventsPerSnapshot) return;
    account.eventsSinceSnapshot = 0;
    const { eventStore, clock, logger } = this.#settings;
    const { userId } = account;
    const { streamId, event } = snapshotOf(account, clock().toISOString());
    const write = async (): Promise<void> => {
      await eventStore.append(streamId, [event], 'any');
      if (this.#bounded.has(userId)) return;
      if (this.#bounded.size > 10_000) this.#bounded.clear();
      this.#bounded.add(userId);
      await eventStore.boundStream(streamId, { maxCount: 1 });
    };
    write().catch((error: unknown) => {
      logger.warn({ userId, error: String(error) }, 'no snapshot taken');
    });
  }
}

const takeRound = (queue: Queue): readonly Waiting[] => {
  let size = 0;
  let count = 0;
  for (const { work } of queue.waiting) {
    if (count > 0 && size + work.size > maxAppend) break;
    size += work.size;
    count += 1;
  }
  return queue.waiting.splice(0, count);
};
