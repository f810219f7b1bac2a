import { requestRateBucket } from '../../domain/option/request-rate-buckets.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Bus, KeyValue } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { GroupLimit, RateLimits } from '../feeds/rate-limits.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { relayError } from '../protocol/relay-errors.ts';
import type { Caller } from './caller.ts';

/** Takes a request back that did not count after all. */
type Counted = Readonly<{ failed: () => void }>;

type Counter = Readonly<{ key: string; before: string; max: number }>;
type Window = Readonly<{ name: string; before: string; passed: number; leftMs: number }>;

const windowAt = (nowMs: number, windowMs: number): Window => {
  const index = Math.floor(nowMs / windowMs);
  const at = nowMs - index * windowMs;
  const nameOf = (number: number): string => `${windowMs}.${number}`;
  return {
    name: nameOf(index),
    before: nameOf(index - 1),
    passed: at / windowMs,
    leftMs: windowMs - at,
  };
};

const refusal = (limits: RateLimits, max: number, everyOne: boolean): ApiError =>
  relayError(
    'rate_limit_exceeded',
    everyOne
      ? `At most ${max} requests in ${limits.windowMinutes} minutes, failed ones included`
      : `At most ${max} requests in ${limits.windowMinutes} minutes`,
  );

/** Counts of past windows do not change: read once. */
type Past = Map<string, number>;
const maxPast = 10_000;

const countBefore = async (store: KeyValue, past: Past, key: string): Promise<number> => {
  const known = past.get(key);
  if (known !== undefined) return known;
  const count = (await store.get<number>(key)) ?? 0;
  if (past.size >= maxPast) past.clear();
  past.set(key, count);
  return count;
};

/**
 * A sliding window over all relays: this window's count and the share of the one before that the
 * window still covers. Counted first and taken back when refused, so that no two pass at once.
 */
const takeOne = async (
  { store, past }: Readonly<{ store: KeyValue; past: Past }>,
  { key, before, max }: Counter,
  passed: number,
): Promise<boolean> => {
  const [count, earlier] = await Promise.all([
    store.increment(key, 1),
    countBefore(store, past, before),
  ]);
  return count + Math.floor(earlier * (1 - passed)) <= max;
};

export type RateLimiter = Readonly<{
  /** Counts a request, or returns why it may not be made. */
  count: (caller: Caller, limits: RateLimits) => Promise<Counted | ApiError>;
}>;

const countersOf = (
  userId: UserId,
  { total, success }: GroupLimit,
  { name, before }: Window,
): readonly Counter[] => {
  const counter = (kind: string, max: number): Counter => ({
    key: `${userId}.${kind}.${name}`,
    before: `${userId}.${kind}.${before}`,
    max,
  });
  return [...(total === null ? [] : [counter('all', total)]), counter('ok', success)];
};

const groupIn = ({ tokenGroup, account }: Caller): string =>
  tokenGroup !== '' ? tokenGroup : account.group;

/** Counts requests in the bus's key-value store: one round trip, and none while the option is off. */
export const createRateLimiter = ({
  bus,
  clock,
  logger,
}: Readonly<{
  bus: Pick<Bus, 'keyValue'>;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
}>): RateLimiter => {
  const past: Past = new Map();

  const takeBack = (store: KeyValue, counters: readonly Counter[]): void => {
    for (const { key } of counters) {
      store.increment(key, -1).catch((error: unknown) => {
        logger.warn({ err: error }, 'a request could not be taken back from the rate limit');
      });
    }
  };

  const count: RateLimiter['count'] = async (caller, limits) => {
    const windowMs = limits.windowMinutes * 60_000;
    const { bucket, ttlSeconds } = requestRateBucket(limits.windowMinutes);
    const store = bus.keyValue(bucket, { ttlSeconds });
    const window = windowAt(clock().getTime(), windowMs);
    const limit = limits.groups.get(groupIn(caller)) ?? limits.default;
    const counters = countersOf(caller.account.userId, limit, window);
    try {
      const taken = await Promise.all(
        counters.map((counter) => takeOne({ store, past }, counter, window.passed)),
      );
      const refused = counters.find((_counter, at) => taken[at] === false);
      if (refused === undefined) return { failed: () => takeBack(store, counters.slice(-1)) };
      takeBack(store, counters);
      const everyOne = refused.key.includes('.all.');
      const retryAfterSeconds = Math.max(1, Math.ceil(window.leftMs / 1_000));
      return { ...refusal(limits, refused.max, everyOne), retryAfterSeconds };
    } catch (error) {
      // Traffic does not stop because the counters are away.
      logger.warn({ err: error }, 'the rate limit cannot be checked; the request is let through');
      return { failed: () => {} };
    }
  };

  return { count };
};
