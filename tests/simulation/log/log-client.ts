import type { Event, Recorded } from '../../../domain/shared/event.ts';
import { LogGuard } from '../../../domain/shared/log-place.ts';
import {
  type AppendResult,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type ReadAllOptions,
  type ReadStreamOptions,
  type SubscriptionItem,
  type SubscriptionOptions,
  WrongExpectedRevisionError,
} from '../../../infra/ports/event-store.ts';
import type { Timers } from '../../../infra/ports/timers.ts';
import { LineBrokenError, type RemoteCalls } from '../world/remote-calls.ts';
import type { LogServer, Subscription } from './log-server.ts';

/** The limits of the adapter (`infra/event-store/create-event-store.ts`). */
const patienceMs = 15_000;
const firstDelayMs = 25;
const longestDelayMs = 1_000;
const backoffMs = (attempt: number): number =>
  Math.min(firstDelayMs * 2 ** attempt, longestDelayMs);

type Progress = { position: bigint | null };

const onAbort = (signal: AbortSignal, end: () => void): (() => void) => {
  signal.addEventListener('abort', end);
  return () => signal.removeEventListener('abort', end);
};

/**
 * A class for the sake of its generators: V8 makes a hidden class for each generator function, and
 * one that is made again for each client keeps all that the client references in memory until the
 * next full collection.
 */
class LogClient {
  readonly #server: LogServer;
  readonly #calls: RemoteCalls;
  readonly #timers: Timers;
  readonly #guard: LogGuard;

  constructor(server: LogServer, calls: RemoteCalls) {
    this.#server = server;
    this.#calls = calls;
    this.#timers = calls.machine.timers;
    const readAll = (options: ReadAllOptions) => this.readAll(options);
    const head = () => this.head();
    this.#guard = new LogGuard({ readAll, head }, () => this.#timers.now());
  }

  async append(
    streamId: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    const append = () => this.#calls.call(() => this.#server.append(streamId, events, expected));
    const eventIds = events.map(({ eventId }) => eventId);
    const result = await this.#retrying(() => this.#guard.append(eventIds, append));
    if (result === null) throw new WrongExpectedRevisionError(streamId);
    return result;
  }

  async *readStream<E extends Event>(
    streamId: string,
    options: ReadStreamOptions = {},
  ): AsyncGenerator<Recorded<E>> {
    const found = await this.#asked(() => this.#server.log.read(streamId, options));
    yield* found as readonly Recorded<E>[];
  }

  async *readAll({ after, from, maxCount }: ReadAllOptions = {}): AsyncGenerator<Recorded> {
    const before = from === undefined ? (after ?? null) : from - 1n;
    const found = await this.#asked(() => this.#server.log.after(before));
    yield* found.slice(0, maxCount);
  }

  head(): Promise<bigint | null> {
    return this.#asked(() => this.#server.log.head);
  }

  boundStream(
    streamId: string,
    bounds: Readonly<{ maxCount?: number; maxAgeSeconds?: number }>,
  ): Promise<void> {
    return this.#asked(() => this.#server.log.bound(streamId, bounds));
  }

  async *subscribeToAll({
    after,
    lastRead,
    signal,
  }: SubscriptionOptions): AsyncGenerator<SubscriptionItem> {
    if (lastRead !== null) this.#guard.resumed(lastRead);
    // Not `AbortSignal.any`, which keeps what listens to it in memory.
    const control = new AbortController();
    const end = (): void => control.abort();
    const stopWaiting = onAbort(signal, end);
    if (signal.aborted) end();
    const stopListening = this.#guard.onReplaced((error) => control.abort(error));
    try {
      yield* this.#reconnecting(after, control.signal);
      if (!signal.aborted) control.signal.throwIfAborted();
    } finally {
      stopWaiting();
      stopListening();
    }
  }

  /** Reconnects after each broken line. */
  async *#reconnecting(
    after: bigint | null,
    signal: AbortSignal,
  ): AsyncGenerator<SubscriptionItem> {
    const progress: Progress = { position: after };
    let attempt = 0;
    while (!signal.aborted) {
      const before = progress.position;
      try {
        yield* this.#deliver(progress, signal);
        return;
      } catch (error) {
        if (!(error instanceof LineBrokenError)) throw error;
      }
      attempt = progress.position === before ? attempt + 1 : 0;
      await this.#pause(backoffMs(attempt), signal);
    }
  }

  /** Everything that one connection delivers. */
  async *#deliver(progress: Progress, signal: AbortSignal): AsyncGenerator<SubscriptionItem> {
    const subscription = this.#server.subscribe(this.#calls.machine, progress.position);
    const end = (): void => subscription.end(null);
    const stopWaiting = onAbort(signal, end);
    try {
      await this.#guard.check();
      const target = (await this.head()) ?? -1n;
      if (signal.aborted) return;
      yield* this.#follow(subscription, target, signal);
    } finally {
      stopWaiting();
      progress.position = subscription.position;
      end();
    }
  }

  async *#follow(
    subscription: Subscription,
    target: bigint,
    signal: AbortSignal,
  ): AsyncGenerator<SubscriptionItem> {
    const isAtHead = (): boolean => (subscription.position ?? -1n) >= target;
    if (isAtHead()) yield 'caught-up';
    for (;;) {
      const events = await subscription.take();
      if (events === null || signal.aborted) return;
      const last = events.at(-1);
      if (last !== undefined) this.#guard.delivered(last);
      yield events;
      if (subscription.isEmpty && isAtHead()) yield 'caught-up';
    }
  }

  #asked<T>(serve: () => T): Promise<T> {
    return this.#retrying(() => this.#calls.call(serve));
  }

  /** Again while the connection is the trouble: the outcome is unknown, so the same goes again. */
  async #retrying<T>(attempt: () => Promise<T>): Promise<T> {
    const end = this.#timers.now() + patienceMs;
    for (let count = 0; ; count += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof LineBrokenError) || this.#timers.now() > end) throw error;
        await this.#pause(backoffMs(count));
      }
    }
  }

  #pause(ms: number, signal?: AbortSignal): Promise<void> {
    const timers = this.#timers;
    return new Promise((resolve) => {
      const done = (): void => {
        timers.clear(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = timers.setTimeout(done, ms);
      signal?.addEventListener('abort', done);
    });
  }
}

/** The event store port of one process, with the retries of the real adapter. */
export const createLogClient = (server: LogServer, calls: RemoteCalls): EventStore => {
  const client = new LogClient(server, calls);
  return {
    append: (streamId, events, expected) => client.append(streamId, events, expected),
    readStream: (streamId, options) => client.readStream(streamId, options),
    readAll: (options) => client.readAll(options),
    subscribeToAll: (options) => client.subscribeToAll(options),
    head: () => client.head(),
    boundStream: (streamId, bounds) => client.boundStream(streamId, bounds),
    tombstoneStream: () => Promise.reject(new Error('no history ends a stream')),
    close: async () => undefined,
  };
};
