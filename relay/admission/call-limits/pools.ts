import { requestRateBucket } from '../../../domain/option/request-rate-buckets.ts';
import type { Bus } from '../../../infra/ports/bus.ts';
import type { Clock } from '../../../infra/ports/clock.ts';
import type { Logger } from '../../../infra/ports/logger.ts';
import type { Timer, Timers } from '../../../infra/ports/timers.ts';
import { PermitPool } from './permit-pool.ts';
import { SharedCount } from './shared-count.ts';

export type LimitUnit = 'requests' | 'tokens' | 'concurrent';

export type PoolDeps = Readonly<{
  bus: Pick<Bus, 'keyValue'>;
  clock: Clock;
  timers: Timers;
  logger: Pick<Logger, 'warn'>;
}>;

const tickMs = 1_000;
/** Limits in use at the same time; calls under more are let through by those. */
const maxPools = 100_000;

/** The permits of every limit in use; nothing runs while there is none. */
export class Pools {
  readonly #deps: PoolDeps;
  readonly #pools = new Map<string, PermitPool>();
  #timer: Timer | null = null;

  constructor(deps: PoolDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#pools.size;
  }

  /** null: more limits are in use than this relay keeps. */
  of(name: string, unit: LimitUnit): PermitPool | null {
    const key = `limit.${unit}.${name}`;
    return this.#pools.get(key) ?? this.#make(key, unit);
  }

  stop(): void {
    this.#deps.timers.clear(this.#timer);
    this.#timer = null;
  }

  #make(key: string, unit: LimitUnit): PermitPool | null {
    const { bus, clock, timers, logger } = this.#deps;
    if (this.#pools.size >= maxPools) return null;
    const { bucket, ttlSeconds } = requestRateBucket(1);
    const store = bus.keyValue(bucket, { ttlSeconds });
    const now = (): number => timers.now();
    const onAway = (error: unknown): void =>
      logger.warn({ err: error }, 'limits are kept by this relay alone: the counters are away');
    const count = new SharedCount({ store, key, clock, now, onAway });
    const pool = new PermitPool({ count, now, isPerMinute: unit !== 'concurrent' });
    this.#pools.set(key, pool);
    this.#timer ??= timers.setInterval(() => this.#tick(), tickMs).unref();
    return pool;
  }

  #tick(): void {
    for (const [key, pool] of this.#pools) {
      if (pool.isIdle) this.#pools.delete(key);
      else pool.tick();
    }
    if (this.#pools.size === 0) this.stop();
  }
}
