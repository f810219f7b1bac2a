import { setTimeout as sleep } from 'node:timers/promises';
import { type AllStreamSubscription, excludeSystemEvents, START } from '@eventstore/db-client';
import type { Recorded } from '../../domain/shared/event.ts';
import { type LogGuard, LogReplacedError } from '../../domain/shared/log-place.ts';
import type { SubscriptionItem, SubscriptionOptions } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import { head, type Source } from './reading.ts';
import { backoffMs } from './retry.ts';
import { type Reading, toRecorded } from './to-recorded.ts';

type Context = Source & Readonly<{ logger: Logger; guard: LogGuard }>;

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

type Progress = { after: bigint | null };

const open = ({ client }: Context, { after }: Progress): AllStreamSubscription =>
  client.subscribeToAll({
    fromPosition: after === null ? START : { commit: after, prepare: after },
    filter: excludeSystemEvents({ checkpointInterval }),
  });

/** Everything that one connection delivers; the last position is kept in `progress`. */
const deliver = async function* (
  context: Context,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<SubscriptionItem> {
  const subscription = open(context, progress);
  const inbox = new Inbox(subscription, context.reading, signal);
  try {
    await inbox.confirmed;
    // From here on a replacement of the log ends the connection; an earlier one is detected now.
    await context.guard.check();
    // The mark does not hang on the server's own, which older servers do not send.
    const target = (await head(context)) ?? -1n;
    const isAtHead = (): boolean => (progress.after ?? -1n) >= target;
    if (isAtHead()) yield 'caught-up';
    for (let items = await inbox.take(); items !== null; items = await inbox.take()) {
      if (signal.aborted) return;
      const last = items.at(-1);
      if (last !== undefined) {
        progress.after = last.position;
        context.guard.delivered(last);
      }
      yield items;
      if (inbox.isEmpty && isAtHead()) yield 'caught-up';
    }
  } finally {
    await subscription.unsubscribe().catch(() => undefined);
  }
};

/** Reconnects after each lost connection, at the last position. */
const follow = async function* (
  context: Context,
  after: bigint | null,
  signal: AbortSignal,
): AsyncGenerator<SubscriptionItem> {
  const progress: Progress = { after };
  let attempt = 0;
  while (!signal.aborted) {
    const before = progress.after;
    try {
      yield* deliver(context, progress, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof LogReplacedError) throw error;
      attempt = progress.after === before ? attempt + 1 : 0;
      context.logger.warn({ error: String(error), attempt }, 'subscription lost, resuming');
      await sleep(backoffMs(attempt), undefined, { signal }).catch(() => undefined);
    }
  }
};

/**
 * Everything after a position and all later events. `caught-up` is emitted each time all existing
 * events have been delivered. After a lost connection it resumes at the last position.
 * @throws LogReplacedError where the log does not hold `lastRead`, and where an append of this
 * process found it out
 */
export const subscribeToAll = async function* (
  context: Context,
  { after, lastRead, signal }: SubscriptionOptions,
): AsyncGenerator<SubscriptionItem> {
  if (lastRead !== null) context.guard.resumed(lastRead);
  // Not `AbortSignal.any`, which keeps what listens to it in memory.
  const control = new AbortController();
  const end = (): void => control.abort();
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  const stopListening = context.guard.onReplaced((error) => control.abort(error));
  try {
    yield* follow(context, after, control.signal);
    if (!signal.aborted) control.signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', end);
    stopListening();
  }
};
