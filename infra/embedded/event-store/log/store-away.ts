import pg from 'pg';

/** PostgreSQL refused the statement; every other error leaves the outcome unknown. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|53|57|58|XX)/.test(error.code ?? 'XX');

const lostConnection =
  /^connect |connection (terminated|timeout|error)|client (was closed|has encountered)|ECONNRESET|EPIPE/i;

/** The database is away for a moment, or the connection to it is. */
export const isStoreAway = (error: unknown): boolean =>
  error instanceof pg.DatabaseError
    ? !isRefusal(error)
    : error instanceof Error && lostConnection.test(error.message);
