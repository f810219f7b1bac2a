import { setTimeout as sleep } from 'node:timers/promises';
import {
  CancelledError,
  DeadlineExceededError,
  NotLeaderError,
  TimeoutError,
  UnavailableError,
  UnknownError,
} from '@eventstore/db-client';

/** The client gave no answer in time; the outcome is unknown, so the same event ids go again. */
class NoAnswerError extends Error {
  constructor() {
    super('the event store does not answer');
    this.name = 'NoAnswerError';
  }
}

/** The client clears its channel on some of these only after a call has failed on it. */
const transient = [
  UnavailableError,
  CancelledError,
  DeadlineExceededError,
  TimeoutError,
  NotLeaderError,
  NoAnswerError,
];

/** The transport's error of a channel that the client has closed meanwhile. */
const brokenChannel = /channel|write after end|ECONN|ERR_HTTP2|socket|RST_STREAM|Unavailable/i;

const closedChannel = /closed channel|channel has been (closed|shut down)/i;

/** Cancelled, deadline exceeded, aborted, unavailable: gRPC codes that the client did not translate. */
const transientCodes: readonly unknown[] = [1, 4, 10, 14];

const codeOf = (error: Error): unknown => ('code' in error ? error.code : undefined);

/** Asking a node for its features fails with the bare error of the transport. */
export const isTransient = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (transient.some((type) => error instanceof type)) return true;
  if (error instanceof UnknownError)
    return error.message === '' || brokenChannel.test(error.message);
  return transientCodes.includes(codeOf(error)) || closedChannel.test(error.message);
};

const firstDelayMs = 25;
const maxDelayMs = 1_000;

export const backoffMs = (attempt: number): number =>
  Math.min(firstDelayMs * 2 ** attempt, maxDelayMs);

/** Rejects with `NoAnswerError` when the promise stays open; the client itself has no timer. */
export const withTimeout = async <T>(promise: Promise<T>, timeoutMs: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswerError()), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Tries again while the connection is the trouble, up to `patienceMs`.
 * @throws the last error when patience ends, and every other error at once
 */
export const retrying = async <T>(
  attempt: () => Promise<T>,
  limits: Readonly<{ attemptMs: number; patienceMs: number }>,
): Promise<T> => {
  const end = performance.now() + limits.patienceMs;
  for (let count = 0; ; count += 1) {
    try {
      return await withTimeout(attempt(), limits.attemptMs);
    } catch (error) {
      if (!isTransient(error) || performance.now() > end) throw error;
      await sleep(backoffMs(count));
    }
  }
};
