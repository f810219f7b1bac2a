import type { Event } from './event.ts';

/*
 * How numbers and unique names are given out. These events belong to no aggregate: the command
 * handler's helpers write and read them, projections leave them out.
 */

/** Stream `ids-<category>`: the numbers `from`..`to` belong to the process that wrote this. */
export type IdsReserved = Event<'IdsReserved', { category: string; from: number; to: number }>;

/**
 * Streams `<kind>-<hash>`: a unique value belongs to `ownerId`; the newest event of the stream
 * holds. `ownerStreamId` tells whether the owner came to be.
 */
export type ValueClaimed = Event<
  'ValueClaimed',
  { kind: string; ownerId: number; ownerStreamId: string }
>;

/**
 * First event of a stream whose owner was never created: a crash left its claim behind and another
 * took it over. A creation that was merely slow finds this and is refused.
 */
export type IdVoided = Event<'IdVoided', { streamId: string; kind: string }>;

export const idsStreamId = (category: string): string => `ids-${category}`;
