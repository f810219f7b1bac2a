import { accountPartitions } from '../../domain/shared/partitions.ts';

/** Milliseconds. */
export const defaultTermMs = 30_000;
export const heartbeatsPerTerm = 6;
/** The part of a term by which a relay stops early, for clocks that do not run equally fast. */
const marginShare = 10;
/** Heartbeats whose answers may still arrive. */
const rememberedHeartbeats = 64;

/**
 * For how long this relay may use its leases, in its own monotonic milliseconds. A keeper that
 * answers waits two terms without a heartbeat before it grants the quota to others, counted from
 * its answer; the relay counts from the moment at which it sent the answered heartbeat, and admits
 * for one term. The second term is for the requests admitted last. All leases of a partition are
 * renewed together.
 */
export class LeaseTerms {
  readonly #termMs: number;
  readonly #marginMs: number;
  /** By partition: when the newest heartbeat or lease request that a keeper answered was sent. */
  readonly #renewedAt = new Float64Array(accountPartitions).fill(Number.NEGATIVE_INFINITY);
  readonly #heartbeats = new Map<number, number>();

  constructor(termMs: number) {
    this.#termMs = termMs;
    this.#marginMs = termMs / marginShare;
  }

  /** May a request be admitted on a lease of this partition? */
  isCurrent(partition: number, nowMs: number): boolean {
    return nowMs - this.#renewedFor(partition) < this.#termMs - this.#marginMs;
  }

  /** A keeper may have given the quota of this partition's leases to others. */
  hasLapsed(partition: number, nowMs: number): boolean {
    return nowMs - this.#renewedFor(partition) >= 2 * this.#termMs - this.#marginMs;
  }

  renewed(partition: number, sentAtMs: number): void {
    if (sentAtMs > this.#renewedFor(partition)) this.#renewedAt[partition] = sentAtMs;
  }

  sent(heartbeat: number, sentAtMs: number): void {
    this.#heartbeats.set(heartbeat, sentAtMs);
    this.#heartbeats.delete(heartbeat - rememberedHeartbeats);
  }

  /** null: no heartbeat of this relay, or one of long ago. */
  sentAt(heartbeat: number): number | null {
    return this.#heartbeats.get(heartbeat) ?? null;
  }

  #renewedFor(partition: number): number {
    return this.#renewedAt[partition] ?? Number.NEGATIVE_INFINITY;
  }
}
