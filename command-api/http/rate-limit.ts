import type { Bus } from '../../infra/ports/bus.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { callerOf } from '../../infra/web/network.ts';

export type RateLimitSettings = Readonly<{ count: number; windowSeconds: number }>;

export type RateLimitDeps = Readonly<{
  bus: Bus;
  vault: Pick<Vault, 'claimHash'>;
  bucket?: string;
}>;

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
 * Counts in the bus's key-value store, so that every process of the product counts together. The window of
 * a subject begins with its first attempt. `bucket` is counted apart from others, and belongs to one length
 * of the window.
 */
export const createRateLimit = (
  { bus, vault, bucket = 'rate-limit' }: RateLimitDeps,
  { count, windowSeconds }: RateLimitSettings,
): RateLimit => {
  const counters = bus.keyValue(bucket, { ttlSeconds: windowSeconds });
  // Hashed under a key: names and addresses are personal data, and few enough to be tried out.
  const keyOf = (subject: string): string =>
    `critical.${vault.claimHash('rate-limit', subject).slice(0, 32)}`;
  return {
    take: async (subject) => (await counters.increment(keyOf(subject), 1)) <= count,
    giveBack: async (subject) => {
      await counters.increment(keyOf(subject), -1);
    },
  };
};
