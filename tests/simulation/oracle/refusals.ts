import { tokenIdOf, userIdOf } from '../history.ts';
import { leaseTtlMs } from '../site/limits.ts';
import type { World } from '../world/world.ts';
import type { Ledger } from './ledger.ts';
import { type CallTruth, isInFlight } from './truth.ts';
import type { Violations } from './violations.ts';

/** Leases of machines that cannot be reached are not available; after so long they have run out. */
const calmMs = 2 * leaseTtlMs + 2_000;
/** A relay may take the keeper's newest no for an answer for a moment. */
const settledMs = 500;

/** Nobody is refused for lack of quota while what is available covers the call. */
export class RefusalCheck {
  readonly #world: World;
  readonly #ledger: Ledger;
  readonly #violations: Violations;
  isOff = false;

  constructor(world: World, ledger: Ledger, violations: Violations) {
    this.#world = world;
    this.#ledger = ledger;
    this.#violations = violations;
    world.truth.onAsked = (call) => {
      call.freeWhenAsked = this.#free(call);
    };
    world.truth.onRefused = (call) => this.#check(call);
  }

  #check(call: CallTruth): void {
    const { refusal, need, requestId, freeWhenAsked, askedAt } = call;
    if (this.isOff || refusal === 'keeper-unavailable') return;
    const now = this.#world.scheduler.now;
    if (now - this.#world.calmSince < calmMs) return;
    const { changedAt } = this.#ledger.book(userIdOf(call.plan.customer));
    if (changedAt > (askedAt ?? now) - settledMs) return;
    const free = Math.min(freeWhenAsked, this.#free(call));
    if (free < need) return;
    const detail = `${requestId} is refused (${refusal}), needs ${need} where ${free} are free`;
    this.#violations.add('refused-with-quota', detail);
  }

  /** What neither waits for its charge, nor runs, nor is being asked for by another call. */
  #free(call: CallTruth): number {
    const { customer, token } = call.plan;
    const book = this.#ledger.book(userIdOf(customer));
    const tokenId = tokenIdOf(customer, token);
    const remain = book.tokens.get(tokenId) ?? null;
    let ofAccount = 0;
    let ofToken = 0;
    for (const other of this.#world.truth.calls) {
      if (other === call || other.plan.customer !== customer) continue;
      const taken = this.#taken(other, book.chargedAt);
      ofAccount += taken;
      if (other.plan.token === token) ofToken += taken;
    }
    const free = book.balance - ofAccount;
    return remain === null ? free : Math.min(free, remain - ofToken);
  }

  #taken(call: CallTruth, chargedAt: ReadonlyMap<string, number>): number {
    if (call.due !== null) return chargedAt.has(call.requestId) ? 0 : call.due;
    if (isInFlight(call)) return call.reserved;
    const isAsking = call.askedAt !== null && call.refusedAt === null && call.outcome === 'pending';
    return isAsking ? call.need : 0;
  }
}
