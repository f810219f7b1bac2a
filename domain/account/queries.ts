import type { UserId } from '../shared/ids.ts';

/*
 * Queries of the write side to the ledger. Subject, request:
 *   `ledger.find`   FindMovements → FoundMovements
 */

/** Event ids, or ids of requests; each of them may be any of both. */
export type FindMovements = Readonly<{ userId: UserId; ids: readonly string[] }>;
/** Those that name a movement of this account. */
export type FoundMovements = Readonly<{ found: readonly string[] }>;
