/** A store of counters for windows of up to `minutes`, which keeps each for `ttlSeconds`. */
type RateBucket = Readonly<{ bucket: string; minutes: number; ttlSeconds: number }>;

const bucket = (name: string, minutes: number): RateBucket => ({
  bucket: `model-request-rate-${name}`,
  minutes,
  ttlSeconds: 2 * 60 * minutes,
});

/**
 * Where relays count the requests of each user. Names and times to live are fixed, because the
 * control plane makes the stores and relays may not: a window uses the first that fits.
 */
export const requestRateBuckets = [
  bucket('minutes', 10),
  bucket('hours', 3 * 60),
  bucket('days', 3 * 1_440),
  bucket('months', 93 * 1_440),
  bucket('years', 3_700 * 1_440),
] as const satisfies readonly RateBucket[];

const [, , , , longest] = requestRateBuckets;

export const requestRateBucket = (windowMinutes: number): RateBucket =>
  requestRateBuckets.find(({ minutes }) => windowMinutes <= minutes) ?? longest;
