import type { UserId } from '../shared/ids.ts';

/*
 * What the write side asks of the ledger. Subject, request:
 *   `ledger.find`   FindMovements → FoundMovements
 */

/** Event ids, or ids of requests; each of them may be any of both. */
export type FindMovements = Readonly<{ userId: UserId; ids: readonly string[] }>;
/** Those that name a movement of this account. */
export type FoundMovements = Readonly<{ found: readonly string[] }>;
