import { NatsError, type StreamInfo } from 'nats';
import type { Timers } from '../../ports/timers.ts';
import { delay, retryDelayMs } from '../retry.ts';

/** Another stream has the subjects: the same one, where another process has begun to make it. */
const isOverlap = (error: unknown): boolean =>
  error instanceof NatsError && error.api_error?.err_code === 10_065;

/**
 * Checks for a stream and makes it where it is missing. Of processes that make one at the same
 * moment some get the error that its subjects overlap with it; they find it when they check again.
 * @throws what the server refuses for another reason
 */
export const madeOnce = async <T>(findOrMake: () => Promise<T>): Promise<T> => {
  try {
    return await findOrMake();
  } catch (error) {
    if (!isOverlap(error)) throw error;
    return findOrMake();
  }
};

/** The server names the time of making only once the stream has a store; until then it is Go's zero time. */
const hasStore = ({ created }: StreamInfo): boolean => !created.startsWith('0001-');

/** So many reads take some 6 s; a server that still sets up the stream is used all the same then. */
const maxReads = 8;

/**
 * The server's description of a stream that is set up: a stream that another process is just making
 * is confirmed before it has a store, and a server of NATS 2.9 ends by a nil pointer when it reads
 * a message of it (jsMsgGetRequest).
 */
export const infoOnceSetUp = async (
  timers: Timers,
  readInfo: () => Promise<StreamInfo>,
): Promise<StreamInfo> => {
  let info = await readInfo();
  for (let attempt = 1; !hasStore(info) && attempt < maxReads; attempt += 1) {
    await delay(timers, retryDelayMs(attempt));
    info = await readInfo();
  }
  return info;
};
