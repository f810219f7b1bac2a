import { createHash } from 'node:crypto';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import { callerOf } from '../../infra/web/network.ts';

export type RateLimitSettings = Readonly<{ count: number; windowSeconds: number }>;

/** 20 calls in 1200 seconds for each client address over all critical routes together. */
export const criticalLimit: RateLimitSettings = { count: 20, windowSeconds: 1_200 };

/** Under which name the calls of a client are counted. */
export const criticalSubject = (ip: string): string => `ip/${callerOf(ip)}`;

export interface RateLimit {
  /** Counts one attempt; false when there were too many. `subject` is an address or an account. */
  take(subject: string): Promise<boolean>;
  /** Gives an attempt back that turned out to be honest. */
  giveBack(subject: string): Promise<void>;
}

/**
 * Counts in the bus's key-value store, so that every process of the product counts together.
 * `bucket` is counted apart from others, and belongs to one length of the window.
 */
export const createRateLimit = (
  { bus, clock, bucket = 'rate-limit' }: Readonly<{ bus: Bus; clock: Clock; bucket?: string }>,
  { count, windowSeconds }: RateLimitSettings,
): RateLimit => {
  const counters = bus.keyValue(bucket, { ttlSeconds: windowSeconds * 2 });
  // Hashed: keys of the store have a narrow alphabet, and addresses are personal data.
  const keyOf = (subject: string): string => {
    const window = Math.floor(clock().getTime() / 1_000 / windowSeconds);
    const name = createHash('sha256').update(subject).digest('hex').slice(0, 32);
    return `critical.${window}.${name}`;
  };
  return {
    take: async (subject) => (await counters.increment(keyOf(subject), 1)) <= count,
    giveBack: async (subject) => {
      await counters.increment(keyOf(subject), -1);
    },
  };
};
