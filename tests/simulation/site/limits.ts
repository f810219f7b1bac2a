/** Shorter than in the field, so that histories of some seconds hold what takes minutes there. */
export const leaseTtlMs = 4_000;
export const leaseIdleMs = 2_000;
/** Bytes of one journal file: a few records. */
export const segmentBytes = 8_192;
