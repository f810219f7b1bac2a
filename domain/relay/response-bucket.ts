/**
 * Where relays keep responses for callers who name them later. Name and time to live are fixed,
 * because the control plane makes the store and relays may not: an entry carries an earlier end.
 */
export const responseBucket = { bucket: 'kept-responses', ttlSeconds: 86_400 } as const;

/** The maximum of the option. */
export const maxKeepHours = responseBucket.ttlSeconds / 3_600;
