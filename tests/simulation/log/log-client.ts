import type { Event, Recorded } from '../../../domain/shared/event.ts';
import { LogGuard } from '../../../domain/shared/log-place.ts';
import {
  type EventStore,
  type ReadAllOptions,
  type SubscriptionItem,
  WrongExpectedRevisionError,
} from '../../../infra/ports/event-store.ts';
import { LineBrokenError, type RemoteCalls } from '../world/remote-calls.ts';
import type { LogServer, Subscription } from './log-server.ts';

/** The limits of the adapter (`infra/event-store/create-event-store.ts`). */
const patienceMs = 15_000;
const firstDelayMs = 25;
const longestDelayMs = 1_000;
const backoffMs = (attempt: number): number =>
  Math.min(firstDelayMs * 2 ** attempt, longestDelayMs);

type Progress = { position: bigint | null };

/** The event store port of one process, with the retries of the real adapter. */
export const createLogClient = (server: LogServer, calls: RemoteCalls): EventStore => {
  const { timers } = calls.machine;

  const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        timers.clear(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = timers.setTimeout(done, ms);
      signal?.addEventListener('abort', done);
    });

  /** Again while the connection is the trouble: the outcome is unknown, so the same goes again. */
  const retrying = async <T>(attempt: () => Promise<T>): Promise<T> => {
    const end = timers.now() + patienceMs;
    for (let count = 0; ; count += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof LineBrokenError) || timers.now() > end) throw error;
        await pause(backoffMs(count));
      }
    }
  };

  const asked = <T>(serve: () => T): Promise<T> => retrying(() => calls.call(serve));

  async function* readStream<E extends Event>(
    streamId: string,
    options: Readonly<{ from?: bigint; maxCount?: number; backwards?: boolean }> = {},
  ): AsyncGenerator<Recorded<E>> {
    const found = await asked(() => server.log.read(streamId, options));
    yield* found as readonly Recorded<E>[];
  }

  async function* readAll({
    after,
    from,
    maxCount,
  }: ReadAllOptions = {}): AsyncGenerator<Recorded> {
    const before = from === undefined ? (after ?? null) : from - 1n;
    const found = await asked(() => server.log.after(before));
    yield* found.slice(0, maxCount);
  }

  const head = (): Promise<bigint | null> => asked(() => server.log.head);

  const guard = new LogGuard({ readAll, head }, () => timers.now());

  const noteDelivered = (events: readonly Recorded[]): void => {
    const last = events.at(-1);
    if (last !== undefined) guard.delivered(last);
  };

  async function* follow(
    subscription: Subscription,
    target: bigint,
    signal: AbortSignal,
  ): AsyncGenerator<SubscriptionItem> {
    const isAtHead = (): boolean => (subscription.position ?? -1n) >= target;
    if (isAtHead()) yield 'caught-up';
    for (;;) {
      const events = await subscription.take();
      if (events === null || signal.aborted) return;
      noteDelivered(events);
      yield events;
      if (subscription.isEmpty && isAtHead()) yield 'caught-up';
    }
  }

  /** Everything that one connection delivers. */
  async function* deliver(
    progress: Progress,
    signal: AbortSignal,
  ): AsyncGenerator<SubscriptionItem> {
    const subscription = server.subscribe(calls.machine, progress.position);
    const end = (): void => subscription.end(null);
    signal.addEventListener('abort', end);
    try {
      await guard.check();
      const target = (await asked(() => server.log.head)) ?? -1n;
      if (signal.aborted) return;
      yield* follow(subscription, target, signal);
    } finally {
      signal.removeEventListener('abort', end);
      progress.position = subscription.position;
      end();
    }
  }

  /** Connects anew after each broken line. */
  async function* reconnecting(
    after: bigint | null,
    signal: AbortSignal,
  ): AsyncGenerator<SubscriptionItem> {
    const progress: Progress = { position: after };
    let attempt = 0;
    while (!signal.aborted) {
      const before = progress.position;
      try {
        yield* deliver(progress, signal);
        return;
      } catch (error) {
        if (!(error instanceof LineBrokenError)) throw error;
      }
      attempt = progress.position === before ? attempt + 1 : 0;
      await pause(backoffMs(attempt), signal);
    }
  }

  async function* subscribeToAll({
    after,
    signal,
  }: Readonly<{ after: bigint | null; signal: AbortSignal }>): AsyncGenerator<SubscriptionItem> {
    // Not `AbortSignal.any`, which keeps what listens to it in memory.
    const control = new AbortController();
    const end = (): void => control.abort();
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    const stopListening = guard.onReplaced((error) => control.abort(error));
    try {
      yield* reconnecting(after, control.signal);
      if (!signal.aborted) control.signal.throwIfAborted();
    } finally {
      signal.removeEventListener('abort', end);
      stopListening();
    }
  }

  return {
    append: async (streamId, events, expected) => {
      const append = () => calls.call(() => server.append(streamId, events, expected));
      const eventIds = events.map(({ eventId }) => eventId);
      const result = await retrying(() => guard.append(eventIds, append));
      if (result === null) throw new WrongExpectedRevisionError(streamId);
      return result;
    },
    readStream,
    readAll,
    subscribeToAll,
    head,
    boundStream: (streamId, bounds) => asked(() => server.log.bound(streamId, bounds)),
    tombstoneStream: () => Promise.reject(new Error('no history ends a stream')),
    close: async () => undefined,
  };
};
