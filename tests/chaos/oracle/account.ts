import type { AccountEvent, RequestCharged } from '../../../domain/account/events.ts';
import type { Logged } from '../log-reader.ts';

type Charge = RequestCharged['data'];

/** How far an account, or one token of it, was below zero at its worst, and what of it is not explained. */
type Overdraft = Readonly<{ below: number; unexplained: number }>;

/** One account, added up from its events alone. */
export type AccountSum = Readonly<{
  balance: number;
  charges: readonly Charge[];
  /** Changes made by the operator. */
  adjustments: readonly number[];
  /** Requests that were given up. */
  abandoned: readonly Readonly<{ requestId: string; tokenId: number }>[];
  /** Charged after its request or its lease had been given up. */
  lateCharges: number;
  /** Units in leases that are open. */
  reserved: number;
  overdraft: Overdraft;
  /** Of the tokens with a budget. */
  tokenOverdrafts: ReadonlyMap<number, Overdraft>;
}>;

export const movementOf = (event: AccountEvent): number => {
  switch (event.type) {
    case 'QuotaGranted':
    case 'RequestRefunded':
    case 'ReferralRewardTransferred':
      return event.data.amount;
    case 'QuotaAdjusted':
    case 'CorrectionPosted':
      return event.data.delta;
    case 'RequestCharged':
      return -event.data.amount;
    default:
      return 0;
  }
};

/** What is left of a budget, and how far it went below zero. */
class Meter {
  left: number;
  below = 0;
  unexplained = 0;
  #explained = 0;

  constructor(left: number) {
    this.left = left;
  }

  /** A late charge spends what others may have been given meanwhile: it explains its own amount. */
  move(amount: number, isLate: boolean): void {
    this.left += amount;
    if (isLate) this.#explained -= amount;
    this.below = Math.max(this.below, -this.left);
    this.unexplained = Math.max(this.unexplained, -this.left - this.#explained);
  }
}

class AccountFold {
  readonly account = new Meter(0);
  readonly tokens = new Map<number, Meter>();
  readonly charges: Charge[] = [];
  readonly adjustments: number[] = [];
  readonly abandoned: { requestId: string; tokenId: number }[] = [];
  readonly leases = new Map<string, number>();
  readonly #givenUp = new Set<string>();
  lateCharges = 0;

  take(event: AccountEvent): void {
    if (event.type === 'RequestCharged') {
      this.#charge(event.data);
      return;
    }
    this.account.move(movementOf(event), false);
    this.#follow(event);
  }

  #charge(charge: Charge): void {
    const { amount, leaseId, call } = charge;
    const isLate = this.#givenUp.has(call.requestId) || this.#givenUp.has(leaseId ?? '');
    if (isLate) this.lateCharges += 1;
    this.charges.push(charge);
    this.account.move(-amount, isLate);
    this.tokens.get(call.tokenId)?.move(-amount, isLate);
    const held = this.leases.get(leaseId ?? '');
    if (leaseId !== null && held !== undefined) this.leases.set(leaseId, held - amount);
  }

  #follow(event: AccountEvent): void {
    switch (event.type) {
      case 'QuotaAdjusted':
        this.adjustments.push(event.data.delta);
        return;
      case 'TokenBudgetSet':
        if (!event.data.unlimited) {
          this.tokens.set(event.data.tokenId, new Meter(event.data.remain));
        }
        return;
      case 'QuotaLeased': {
        const { leaseId, amount } = event.data;
        this.leases.set(leaseId, (this.leases.get(leaseId) ?? 0) + amount);
        return;
      }
      case 'LeaseReturned':
        this.#return(event.data);
        return;
      case 'LeaseExpired':
        this.leases.delete(event.data.leaseId);
        this.#givenUp.add(event.data.leaseId);
        return;
      case 'RequestAbandoned':
        this.abandoned.push(event.data);
        this.#givenUp.add(event.data.requestId);
        return;
      default:
    }
  }

  #return({
    leaseId,
    unspent,
    closes,
  }: Readonly<{ leaseId: string; unspent: number; closes: boolean }>): void {
    const held = this.leases.get(leaseId);
    if (held === undefined) return;
    const left = held - unspent;
    if (closes) this.leases.delete(leaseId);
    else if (left > 0) this.leases.set(leaseId, left);
    else this.leases.delete(leaseId);
  }
}

export const sumOf = (events: readonly Logged[]): AccountSum => {
  const fold = new AccountFold();
  for (const { event } of events) fold.take(event);
  return {
    balance: fold.account.left,
    charges: fold.charges,
    adjustments: fold.adjustments,
    abandoned: fold.abandoned,
    lateCharges: fold.lateCharges,
    reserved: [...fold.leases.values()].reduce((sum, left) => sum + Math.max(0, left), 0),
    overdraft: fold.account,
    tokenOverdrafts: fold.tokens,
  };
};
