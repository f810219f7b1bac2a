import type { AccountEvent } from '../../domain/account/events.ts';
import type { LeaseRecall, LoweredLease } from '../../domain/account/messages.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Timers } from '../../infra/ports/timers.ts';

type Settings = Readonly<{ bus: Bus; timers: Timers }>;

/** Time for idle quota to come back through the usage queue; a relay waits 2 s for its answer. */
const waitMs = 300;
/** Of requests that wait at the same time, one recall speaks for all of so long. */
const recallEveryMs = 50;

type Waiting = { readonly done: Set<() => void>; recalledAt: number };

/** Asks all relays for what they hold idle of an account. */
export class LeaseRecalls {
  readonly #settings: Settings;
  readonly #waiting = new Map<UserId, Waiting>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Quota was taken away from the account or from one of its tokens, under these leases. */
  lowered(userId: UserId, lowered: readonly LoweredLease[]): void {
    if (lowered.length === 0) return;
    this.#settings.bus.publish<LeaseRecall>('lease.recall', { userId, lowered });
  }

  /** Resolves when some quota of the account came back, or after a while. */
  async wait(userId: UserId): Promise<void> {
    const { timers } = this.#settings;
    const waiting = this.#waiting.get(userId) ?? {
      done: new Set<() => void>(),
      recalledAt: Number.NEGATIVE_INFINITY,
    };
    this.#waiting.set(userId, waiting);
    await new Promise<void>((resolve) => {
      const done = (): void => {
        timers.clear(timer);
        waiting.done.delete(done);
        if (waiting.done.size === 0) this.#waiting.delete(userId);
        resolve();
      };
      const timer = timers.setTimeout(done, waitMs);
      waiting.done.add(done);
      // A relay may have had requests that wait when the one before came.
      if (timers.now() < waiting.recalledAt + recallEveryMs) return;
      waiting.recalledAt = timers.now();
      this.#settings.bus.publish<LeaseRecall>('lease.recall', { userId });
    });
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
}
