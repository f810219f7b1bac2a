import {
  CancelledError,
  DeadlineExceededError,
  NotLeaderError,
  TimeoutError,
  UnavailableError,
  UnknownError,
} from '@eventstore/db-client';
import { NoAnswerError, retryingWhile } from './patience.ts';

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

/** Tries again while the connection is the trouble. */
export const retrying = <T>(attempt: () => Promise<T>): Promise<T> =>
  retryingWhile(isTransient, attempt);
