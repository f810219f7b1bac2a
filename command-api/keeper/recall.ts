import type { AccountEvent } from '../../domain/account/events.ts';
import type { LeaseRecall, LeaseRecalled, LoweredLease } from '../../domain/account/messages.ts';
import type { RelayId, UserId } from '../../domain/shared/ids.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import type { Timers } from '../../infra/ports/timers.ts';

type Settings = Readonly<{ bus: Bus; timers: Timers }>;

/** Time for idle quota to return through the usage queue; a relay waits 2 s for its answer. */
const waitMs = 300;
/** For simultaneously waiting requests, one recall counts for all of this time. */
const recallEveryMs = 50;

/** Relay → the number up to which all that was idle there is recorded. */
export type RecallAnswers = ReadonlyMap<RelayId, number>;

type Waiting = {
  /** What relays answered since each request began to wait. */
  readonly answers: Set<Map<RelayId, number>>;
  readonly done: Set<() => void>;
  recalledAt: number;
};

/**
 * A lease request that requires idle quota back; it receives the relays' answers until it is
 * closed.
 */
export type RecallingRequest = Readonly<{
  answers: RecallAnswers;
  /** Resolves when some quota of the account was returned, or after a while. */
  wait: () => Promise<void>;
  close: () => void;
}>;

/** Recalls idle quota of an account from all relays. */
export class LeaseRecalls {
  readonly #settings: Settings;
  readonly #waiting = new Map<UserId, Waiting>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Receives the answers of relays until the stop is called. */
  start(): Promise<Stop> {
    return this.#settings.bus.subscribe<LeaseRecalled>('lease.recalled', (answer) => {
      this.#answered(answer);
    });
  }

  /** Quota was taken away from the account or from one of its tokens, under these leases. */
  lowered(userId: UserId, lowered: readonly LoweredLease[]): void {
    if (lowered.length === 0) return;
    this.#settings.bus.publish<LeaseRecall>('lease.recall', { userId, lowered });
  }

  open(userId: UserId): RecallingRequest {
    const waiting = this.#waiting.get(userId) ?? {
      answers: new Set(),
      done: new Set(),
      recalledAt: Number.NEGATIVE_INFINITY,
    };
    this.#waiting.set(userId, waiting);
    const answers = new Map<RelayId, number>();
    waiting.answers.add(answers);
    return {
      answers,
      wait: () => this.#wait(userId, waiting),
      close: () => {
        waiting.answers.delete(answers);
        if (waiting.answers.size === 0) this.#waiting.delete(userId);
      },
    };
  }

  appended(userId: UserId, events: readonly AccountEvent[]): void {
    const waiting = this.#waiting.get(userId);
    if (waiting === undefined) return;
    const isBack = events.some(
      ({ type }) =>
        type === 'LeaseReturned' || type === 'LeaseExpired' || type === 'RequestCharged',
    );
    if (isBack) for (const done of [...waiting.done]) done();
  }

  #answered({ relayId, userId, recorded }: LeaseRecalled): void {
    if (!Number.isSafeInteger(recorded)) return;
    const waiting = this.#waiting.get(userId);
    for (const answers of waiting?.answers ?? []) answers.set(relayId, recorded);
  }

  async #wait(userId: UserId, waiting: Waiting): Promise<void> {
    const { timers, bus } = this.#settings;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        timers.clear(timer);
        waiting.done.delete(done);
        resolve();
      };
      const timer = timers.setTimeout(done, waitMs);
      waiting.done.add(done);
      // A relay may have had waiting requests at the time of the previous one.
      if (timers.now() < waiting.recalledAt + recallEveryMs) return;
      waiting.recalledAt = timers.now();
      bus.publish<LeaseRecall>('lease.recall', { userId });
    });
  }
}
