/**
 * Where relays keep responses for callers who name them later. Name and time to live are fixed,
 * because the control plane makes the store and relays may not: an entry says when it ends before.
 */
export const responseBucket = { bucket: 'kept-responses', ttlSeconds: 86_400 } as const;

/** The most that the option may say. */
export const maxKeepHours = responseBucket.ttlSeconds / 3_600;
