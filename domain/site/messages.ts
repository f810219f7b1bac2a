/*
 * Queries of the write side to the usage log. Subject, request:
 *   `usage-log.count-before`   CountBefore → CountedBefore
 */

/** Unix seconds. */
export type CountBefore = Readonly<{ before: number }>;
/** Entries that a cut at this time takes out of the log. */
export type CountedBefore = Readonly<{ count: number }>;
