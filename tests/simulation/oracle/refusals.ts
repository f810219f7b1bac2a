import { tokenIdOf, userIdOf } from '../history.ts';
import type { World } from '../world/world.ts';
import type { Ledger } from './ledger.ts';
import { type CallTruth, isInFlight } from './truth.ts';
import type { Violations } from './violations.ts';

/** Leases of machines that cannot be reached are not available; after so long they have run out. */
const calmMs = ({ leases }: World): number => 2 * leases.ttlMs + 2_000;
/** A relay may take the keeper's newest no for an answer for a moment. */
const settledMs = 500;

/** `since`: what was refused from then on may be why this call is. */
type Rival = Readonly<{ chargedAt: ReadonlyMap<string, number>; since: number }>;

/**
 * While what is available covers the call, no call is refused for lack of quota, or told to retry.
 */
export class RefusalCheck {
  readonly #world: World;
  readonly #ledger: Ledger;
  readonly #violations: Violations;
  isOff = false;

  constructor(world: World, ledger: Ledger, violations: Violations) {
    this.#world = world;
    this.#ledger = ledger;
    this.#violations = violations;
    const onAsked = (call: CallTruth): void => {
      call.freeWhenAsked = this.#free(call);
    };
    const onRefused = (call: CallTruth): void => this.#check(call);
    world.truth.onAsked = onAsked;
    world.truth.onRefused = onRefused;
  }

  #check(call: CallTruth): void {
    const { refusal, need, requestId, freeWhenAsked, askedAt } = call;
    if (this.isOff) return;
    const now = this.#world.scheduler.now;
    if (now - this.#world.calmSince < calmMs(this.#world)) return;
    const { customer, token } = call.plan;
    const { changedAt, closedTokens } = this.#ledger.book(userIdOf(customer));
    if (closedTokens.has(tokenIdOf(customer, token))) return;
    const since = (askedAt ?? now) - settledMs;
    if (changedAt > since || this.#hasFreed(call, since)) return;
    const free = Math.min(freeWhenAsked, this.#free(call));
    if (free < need) return;
    const detail = `${requestId} is refused (${refusal}), needs ${need} where ${free} are free`;
    this.#violations.add('refused-with-quota', detail);
  }

  /** A call of the customer has ended since, charged or not, and what it did not cost is free again. */
  #hasFreed({ plan }: CallTruth, since: number): boolean {
    return this.#world.truth.calls.some(
      ({ plan: { customer }, endedAt, bookedAt }) =>
        customer === plan.customer && Math.max(endedAt ?? 0, bookedAt ?? 0) > since,
    );
  }

  /**
   * What neither waits for its charge, nor runs, nor was requested by another call at the same time
   * or just before: of simultaneous requests, some keep the others from what would cover one alone.
   */
  #free(call: CallTruth): number {
    const { customer, token } = call.plan;
    const book = this.#ledger.book(userIdOf(customer));
    const tokenId = tokenIdOf(customer, token);
    const remain = book.tokens.get(tokenId) ?? null;
    const since = (call.askedAt ?? this.#world.scheduler.now) - settledMs;
    let ofAccount = 0;
    let ofToken = 0;
    for (const other of this.#world.truth.calls) {
      if (other === call || other.plan.customer !== customer) continue;
      const taken = this.#taken(other, { chargedAt: book.chargedAt, since });
      ofAccount += taken;
      if (other.plan.token === token) ofToken += taken;
    }
    const free = book.balance - ofAccount;
    return remain === null ? free : Math.min(free, remain - ofToken);
  }

  #taken(call: CallTruth, { chargedAt, since }: Rival): number {
    if (call.due !== null) return chargedAt.has(call.requestId) ? 0 : call.due;
    if (isInFlight(call)) return call.reserved;
    if (call.askedAt === null) return 0;
    const askedUntil = call.refusedAt ?? call.leftAt;
    const isAsking = askedUntil === null && call.outcome === 'pending';
    const hasAsked = askedUntil !== null && askedUntil >= since;
    return isAsking || hasAsked ? call.need : 0;
  }
}
