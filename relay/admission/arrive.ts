import type { IncomingMessage } from 'node:http';
import type { RateLimits } from '../feeds/rate-limits.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import type { Incoming } from './admitted.ts';
import { type Caller, identify } from './caller.ts';
import type { AdmissionDeps } from './deps.ts';
import { applies, type Entry } from './entries.ts';
import type { RateLimiter } from './rate-limit.ts';
import { usageNotRecordable } from './refusals.ts';
import { identifySession, type SessionRefusal } from './session.ts';

type ArriveDeps = AdmissionDeps &
  Readonly<{ rateLimiter: RateLimiter; journal: Readonly<{ accepting: () => boolean }> }>;

type Arrival = Caller | ApiError;
type Request = Pick<Incoming, 'req' | 'res' | 'arrivedAtMs' | 'progress'>;

/** How requests are taken out of the count of successes again. */
const failures = new WeakMap<IncomingMessage, () => void>();

/** A session that was opened for the request is refused: it counts for nothing. */
export const notServed = (req: IncomingMessage): void => failures.get(req)?.();

/** Counts a request; one that fails is taken out of the count of successes. */
const countRequest = async (
  { rateLimiter }: ArriveDeps,
  { req, res }: Request,
  { caller, limits }: Readonly<{ caller: Caller; limits: RateLimits }>,
): Promise<Arrival> => {
  const count = await rateLimiter.count(caller, limits);
  if (isApiError(count)) return count;
  failures.set(req, count.failed);
  res.on('close', () => {
    if (!res.headersSent || res.statusCode >= 400) count.failed();
  });
  return caller;
};

const withinRequests = (
  core: ArriveDeps,
  request: Request,
  { entry, caller }: Readonly<{ entry: Entry; caller: Arrival }>,
): Arrival | Promise<Arrival> => {
  const limits = core.options.current().rateLimits;
  const isFree = limits === null || !applies(entry, 'requests');
  return isApiError(caller) || isFree ? caller : countRequest(core, request, { caller, limits });
};

/** Of the whole relay: what is charged is refused while it could not be recorded. */
const isRecordable = ({ journal }: ArriveDeps, entry: Entry): boolean =>
  !applies(entry, 'recordable') || journal.accepting();

/**
 * The steps before the body: usage can be recorded, the key and its owner, the client address, the requests
 * of the user. Without a promise where all of it is in memory.
 */
export const arrive = (
  core: ArriveDeps,
  incoming: Request,
  entry: Entry,
): Arrival | Promise<Arrival> => {
  if (!isRecordable(core, entry)) return usageNotRecordable;
  const caller = identify(core, incoming);
  return caller instanceof Promise
    ? caller.then((found) => withinRequests(core, incoming, { entry, caller: found }))
    : withinRequests(core, incoming, { entry, caller });
};

/** The same for the playground, which has a session of the console in place of a key. */
export const arriveInSession = async (
  core: ArriveDeps,
  incoming: Request,
  entry: Entry,
): Promise<Arrival | SessionRefusal> => {
  if (!isRecordable(core, entry)) return usageNotRecordable;
  const caller = await identifySession(core, incoming.req);
  if ('account' in caller) incoming.progress.userId = caller.account.userId;
  return 'kind' in caller ? caller : withinRequests(core, incoming, { entry, caller });
};
