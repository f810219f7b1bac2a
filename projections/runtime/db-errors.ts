import type { Timers } from '../../infra/ports/timers.ts';

/** A handler threw: the event, or the code, is at fault, and trying again will not help. */
export class HandlerFaultError extends Error {
  constructor(type: string, position: bigint, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${type} at ${position}: ${reason}`, { cause });
    this.name = 'HandlerFaultError';
  }
}

/** Classes of SQLSTATE that end by themselves: connection, rollback, resources, locks, operator. */
const passingClasses = new Set(['08', '40', '53', '55', '57', '58']);

/**
 * An outage of the database ends by itself. What PostgreSQL refuses for a reason in the statement
 * is a fault; an error of the driver without a code is a broken connection.
 */
export const isOutage = (error: unknown): boolean => {
  if (!(error instanceof Error) || error instanceof HandlerFaultError) return false;
  if (error instanceof TypeError || error instanceof RangeError) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE'
    ? passingClasses.has(code.slice(0, 2))
    : true;
};

const lostLine = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
]);

/** Narrower than an outage: the line to the database is surely down, or the database is. */
export const isStoreAway = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (lostLine.has(code) || /^(08|57P)/.test(code)) return true;
  return /connection (terminated|timeout)|client has encountered a connection error/i.test(
    error.message,
  );
};

/** Resolves after `ms` or as soon as the signal aborts. */
export const pause = (timers: Timers, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      timers.clear(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = timers.setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });

/** 100 ms, doubled with each failure, up to 5 s. */
export const backoffMs = (failures: number): number => Math.min(5_000, 100 * 2 ** failures);
