import { userIdOf } from '../history.ts';
import type { World } from '../world/world.ts';
import type { AccountBook, Charge, Ledger } from './ledger.ts';
import type { CallTruth } from './truth.ts';
import type { Violations } from './violations.ts';

/** Each answer is charged once, with its own amount. */
export class ChargeCheck {
  readonly #world: World;
  readonly #ledger: Ledger;
  readonly #violations: Violations;
  /** Were charged in a log that was rolled back since: no record of them exists any more. */
  readonly #forgotten = new Set<string>();

  constructor(world: World, ledger: Ledger, violations: Violations) {
    this.#world = world;
    this.#ledger = ledger;
    this.#violations = violations;
  }

  /** The log is about to lose all later than that many events. */
  beforeRestore(): void {
    for (const { charges } of this.#ledger.books) {
      for (const { requestId } of charges) this.#forgotten.add(requestId);
    }
  }

  /** Booked, and not in the log. */
  missing(): CallTruth[] {
    return this.#world.truth.calls.filter((call) => this.#isMissing(call));
  }

  /** Missing because a journal was damaged on purpose: verify has to report it. */
  lostToDamage(): CallTruth[] {
    return this.missing().filter(({ plan }) => this.#world.damaged.has(plan.relay));
  }

  check(): void {
    const excused = new Set(this.lostToDamage());
    for (const call of this.missing()) {
      if (excused.has(call)) continue;
      const { requestId, due, plan } = call;
      const detail = `${requestId} of customer ${plan.customer} over relay ${plan.relay}: ${due} due`;
      this.#violations.add('not-charged', detail);
    }
    for (const book of this.#ledger.books) this.#checkBook(book);
  }

  #isMissing({ plan, due, bookedAt, requestId }: CallTruth): boolean {
    if (bookedAt === null || due === null || due === 0) return false;
    if (this.#forgotten.has(requestId)) return false;
    const unsynced = this.#world.unsynced.get(plan.relay) ?? [];
    if (unsynced.some(({ from, to }) => from < bookedAt && bookedAt <= to)) return false;
    return !this.#ledger.book(userIdOf(plan.customer)).chargedAt.has(requestId);
  }

  #checkBook({ userId, charges }: AccountBook): void {
    const seen = new Map<string, number>();
    for (const charge of charges) {
      seen.set(charge.requestId, (seen.get(charge.requestId) ?? 0) + 1);
      this.#checkCharge(userId, charge);
    }
    for (const [requestId, count] of seen) {
      if (count > 1)
        this.#violations.add('charged-twice', `${requestId} is charged ${count} times`);
    }
  }

  #checkCharge(userId: number, { requestId, amount }: Charge): void {
    const call = this.#world.truth.byRequest(requestId);
    if (call === null || !call.isAsked || call.due === null) {
      this.#violations.add('charged-for-nothing', `${requestId}: ${amount} units`);
      return;
    }
    if (call.due === amount && userIdOf(call.plan.customer) === userId) return;
    const detail = `${requestId}: ${amount} units from user ${userId}, due are ${call.due}`;
    this.#violations.add('wrong-amount', detail);
  }
}
