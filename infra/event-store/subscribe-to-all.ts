import { type AllStreamSubscription, excludeSystemEvents, START } from '@eventstore/db-client';
import type { Recorded } from '../../domain/shared/event.ts';
import type { SubscriptionItem, SubscriptionOptions } from '../ports/event-store.ts';
import { type Follower, followLog } from './follow-log.ts';
import { head, type Source } from './reading.ts';
import { type Reading, toRecorded } from './to-recorded.ts';

type Context = Source & Follower;

/** Items wait here up to this many; then the connection is paused. */
const bufferLimit = 4_096;
/** Events between two checkpoints of the filter; we resume from events, so rarely is enough. */
const checkpointInterval = 1_000;

/** One connection of a subscription: what has arrived and is not yet taken. */
class Inbox {
  #items: Recorded[] = [];
  #wake: (() => void) | null = null;
  #failure: unknown = null;
  #isEnded = false;
  readonly #subscription: AllStreamSubscription;
  /** The server has begun with the subscription, or it has ended before. */
  readonly confirmed: Promise<void>;
  #confirm: () => void = () => undefined;

  constructor(subscription: AllStreamSubscription, reading: Reading, signal: AbortSignal) {
    this.#subscription = subscription;
    this.confirmed = new Promise((resolve) => {
      this.#confirm = resolve;
    });
    subscription.on('confirmation', this.#confirm);
    subscription.on('data', (resolved) => {
      if (this.#isEnded) return;
      const recorded = toRecorded(resolved, reading);
      if (recorded === null) return;
      this.#items.push(recorded);
      if (this.#items.length >= bufferLimit) subscription.pause();
      this.#notify();
    });
    subscription.on('error', (error) => this.#end(error));
    subscription.on('close', () => this.#end(new Error('the subscription was closed')));
    subscription.on('end', () => this.#end(new Error('the subscription has ended')));
    signal.addEventListener('abort', () => this.#end(null), { once: true });
    if (signal.aborted) this.#end(null);
  }

  /** All that is there now; waits while there is nothing. null at the end. @throws on failure */
  async take(): Promise<readonly Recorded[] | null> {
    while (this.#items.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#items.length > 0) {
      const items = this.#items;
      this.#items = [];
      if (this.#subscription.isPaused()) this.#subscription.resume();
      return items;
    }
    if (this.#failure !== null) throw this.#failure;
    return null;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /**
   * What was not taken is delivered again by the next connection; not so from a log that replaced
   * this one, and the guard has seen only what was taken.
   */
  #end(failure: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#items = [];
    this.#failure = failure;
    this.#confirm();
    this.#notify();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}

const open = ({ client }: Context, after: bigint | null): AllStreamSubscription =>
  client.subscribeToAll({
    fromPosition: after === null ? START : { commit: after, prepare: after },
    filter: excludeSystemEvents({ checkpointInterval }),
  });

/** Everything that one connection delivers. */
const deliver = async function* (
  context: Context,
  after: bigint | null,
  signal: AbortSignal,
): AsyncGenerator<SubscriptionItem> {
  const subscription = open(context, after);
  const inbox = new Inbox(subscription, context.reading, signal);
  let last = after ?? -1n;
  try {
    await inbox.confirmed;
    // From here on a replacement of the log ends the connection; an earlier one is detected now.
    await context.guard.check();
    // The mark does not hang on the server's own, which older servers do not send.
    const target = (await head(context)) ?? -1n;
    if (last >= target) yield 'caught-up';
    for (let items = await inbox.take(); items !== null; items = await inbox.take()) {
      if (signal.aborted) return;
      last = items.at(-1)?.position ?? last;
      yield items;
      if (inbox.isEmpty && last >= target) yield 'caught-up';
    }
  } finally {
    await subscription.unsubscribe().catch(() => undefined);
  }
};

/** The subscription of the port over the client. */
export const subscribeToAll = (
  context: Context,
  options: SubscriptionOptions,
): AsyncGenerator<SubscriptionItem> =>
  followLog(context, (after, signal) => deliver(context, after, signal), options);
