import type { LeaseTimes } from '../history.ts';

/** Shorter than in the field, so that histories of some seconds hold what takes minutes there. */
export const usualLeases: LeaseTimes = { ttlMs: 4_000, idleMs: 2_000 };
/** Bytes of one journal file: a few records. */
export const segmentBytes = 8_192;
