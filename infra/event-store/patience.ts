import { setTimeout as sleep } from 'node:timers/promises';

/** The log did not answer in time; the outcome is unknown, so the same event ids go again. */
export class NoAnswerError extends Error {
  constructor() {
    super('the event store does not answer');
    this.name = 'NoAnswerError';
  }
}

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

/** A restart of the store takes a second or two; a caller waits no longer than a person would. */
export const limits = { attemptMs: 6_000, patienceMs: 15_000 };

/**
 * Tries again while the connection is the trouble, up to the limit of patience.
 * @throws the last error when patience ends, and every other error at once
 */
export const retryingWhile = async <T>(
  isTransient: (error: unknown) => boolean,
  attempt: () => Promise<T>,
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
