import { setTimeout as sleep } from 'node:timers/promises';
import { type LogGuard, LogReplacedError } from '../../domain/shared/log-place.ts';
import type { SubscriptionItem, SubscriptionOptions } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import { backoffMs } from './patience.ts';

export type Follower = Readonly<{ logger: Logger; guard: LogGuard }>;

/** Everything after a place over one connection, until it ends or is lost. */
export type Connect = (
  after: bigint | null,
  signal: AbortSignal,
) => AsyncIterable<SubscriptionItem>;

type Progress = { after: bigint | null };

/** Delivers the items of one connection; the last position is kept in `progress`. */
const deliver = async function* (
  { guard }: Follower,
  items: AsyncIterable<SubscriptionItem>,
  progress: Progress,
): AsyncGenerator<SubscriptionItem> {
  for await (const item of items) {
    const last = item === 'caught-up' ? undefined : item.at(-1);
    if (last !== undefined) {
      progress.after = last.position;
      guard.delivered(last);
    }
    yield item;
  }
};

/** Connects again after each lost connection, at the last position. */
const follow = async function* (
  follower: Follower,
  connect: Connect,
  { after, signal }: Pick<SubscriptionOptions, 'after' | 'signal'>,
): AsyncGenerator<SubscriptionItem> {
  const progress: Progress = { after };
  let attempt = 0;
  while (!signal.aborted) {
    const before = progress.after;
    try {
      yield* deliver(follower, connect(before, signal), progress);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof LogReplacedError) throw error;
      attempt = progress.after === before ? attempt + 1 : 0;
      follower.logger.warn({ error: String(error), attempt }, 'subscription lost, resuming');
      await sleep(backoffMs(attempt), undefined, { signal }).catch(() => undefined);
    }
  }
};

/**
 * Everything after a position and all later events. `caught-up` is emitted each time all existing
 * events have been delivered. After a lost connection it resumes at the last position.
 * @throws LogReplacedError where the log does not contain `lastRead`, and where an append of this
 * process found it out
 */
export const followLog = async function* (
  follower: Follower,
  connect: Connect,
  { after, lastRead, signal }: SubscriptionOptions,
): AsyncGenerator<SubscriptionItem> {
  if (lastRead !== null) follower.guard.resumed(lastRead);
  // Not `AbortSignal.any`, which keeps what listens to it in memory.
  const control = new AbortController();
  const end = (): void => control.abort();
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  const stopListening = follower.guard.onReplaced((error) => control.abort(error));
  try {
    yield* follow(follower, connect, { after, signal: control.signal });
    if (!signal.aborted) control.signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', end);
    stopListening();
  }
};
