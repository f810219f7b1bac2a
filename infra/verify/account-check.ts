import type { AccountEvent, QuotaLeased, RequestCharged } from '../../domain/account/events.ts';
import { accountStreamId } from '../../domain/account/stream.ts';
import { price } from '../../domain/pricing/price.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { TokenId, UserId } from '../../domain/shared/ids.ts';
import { balanceClaimedBy, movementOf } from './account-types.ts';
import { type Check, timeOf } from './check.ts';
import type { ConcernedEvent } from './concerns.ts';
import type { Findings } from './findings.ts';
import { OpenLeases } from './open-leases.ts';

type Account = {
  balance: number;
  /** How far the last claimed balance was off: one fault shifts all that follow, and is reported once. */
  shift: number;
  readonly leases: OpenLeases;
  readonly budgets: Map<TokenId, { unlimited: boolean; remain: number }>;
};

/** Charges of the playground have no budget of their own. */
const playground: TokenId = 0;
/** A relay without an event for so long counts as dead, unless it is reported alive. */
const relayTimeoutMs = 15 * 60_000;

const costs = ({ usage, quote }: RequestCharged['data']): number | null => {
  try {
    return price(usage, quote);
  } catch {
    return null;
  }
};

/**
 * Every account, added up from nothing but its events: prices, balances, leases and
 * token budgets. Remembers the balance, the budgets and the open leases of each account.
 */
export class AccountCheck implements Check<'accounts'> {
  readonly #findings: Findings;
  readonly #accounts = new Map<UserId, Account>();
  readonly #relaysSeen = new Map<string, number>();
  #opened = 0;
  #closed = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  get count(): number {
    return this.#accounts.size;
  }

  balanceOf(userId: UserId): number {
    return this.#accounts.get(userId)?.balance ?? 0;
  }

  /** Of every event, whatever it is about: a relay that acts is alive. */
  seeActor(recorded: Recorded): void {
    const { actor } = recorded.metadata ?? {};
    if (actor?.kind === 'relay') this.#relaysSeen.set(actor.id, timeOf(recorded));
  }

  see(recorded: Recorded<ConcernedEvent<'accounts'>>): void {
    const { event } = recorded;
    const { userId } = event.data;
    if (recorded.streamId !== accountStreamId(userId)) {
      const detail = `the event of account ${userId} is in ${recorded.streamId}`;
      this.#findings.ofEvent('wrong-stream', recorded, detail);
    }
    const account = this.#account(userId);
    account.balance += movementOf(event);
    this.#checkBalance(account, event, recorded);
    this.#apply(account, event, recorded);
  }

  /** Every lease is closed, or its relay may still be alive. */
  end({ now, alive }: Readonly<{ now: number; alive: ReadonlySet<string> }>) {
    let open = 0;
    for (const [userId, { leases }] of this.#accounts) {
      for (const { leaseId, relayId, eventId } of leases.open()) {
        open += 1;
        const seen = this.#relaysSeen.get(relayId) ?? 0;
        if (alive.has(relayId) || now - seen < relayTimeoutMs) continue;
        this.#findings.ofEarlier('lease-left-open', {
          eventId,
          streamId: accountStreamId(userId),
          detail: `lease ${leaseId} is open and its relay is gone`,
        });
      }
    }
    return { opened: this.#opened, closed: this.#closed, alive: open };
  }

  #account(userId: UserId): Account {
    const known = this.#accounts.get(userId);
    if (known !== undefined) return known;
    const account = { balance: 0, shift: 0, leases: new OpenLeases(), budgets: new Map() };
    this.#accounts.set(userId, account);
    return account;
  }

  #checkBalance(account: Account, event: AccountEvent, recorded: Recorded): void {
    const claimed = balanceClaimedBy(event);
    if (claimed === null) return;
    const shift = claimed - account.balance;
    if (shift !== 0 && shift !== account.shift) {
      const detail = `records the balance ${claimed}, the movements add up to ${account.balance}`;
      this.#findings.ofEvent('balance-mismatch', recorded, detail);
    }
    account.shift = shift;
  }

  #apply(account: Account, event: ConcernedEvent<'accounts'>, recorded: Recorded): void {
    switch (event.type) {
      case 'RequestCharged':
        this.#charge(account, event, recorded);
        return;
      case 'RequestRefunded':
        this.#spendBudget(account, event.data.tokenId, -event.data.amount);
        return;
      case 'QuotaLeased':
        this.#lease(account, event, recorded);
        return;
      case 'LeaseReturned':
      case 'LeaseExpired':
        this.#release(account, event, recorded);
        return;
      case 'TokenBudgetSet': {
        const { tokenId, unlimited, remain } = event.data;
        account.budgets.set(tokenId, { unlimited, remain });
        return;
      }
      case 'TokenBudgetClosed':
        account.budgets.delete(event.data.tokenId);
        return;
      case 'AccountOpened':
      case 'QuotaGranted':
      case 'QuotaAdjusted':
      case 'RequestAbandoned':
      case 'ReferralRewarded':
      case 'ReferralRewardTransferred':
      case 'CorrectionPosted':
        return;
    }
  }

  #spendBudget(account: Account, tokenId: TokenId, amount: number): void {
    const budget = account.budgets.get(tokenId);
    if (budget !== undefined) budget.remain -= amount;
  }

  #charge(account: Account, { data }: RequestCharged, recorded: Recorded): void {
    const due = costs(data);
    if (due !== data.amount) {
      const detail = `charged ${data.amount}, usage and quote give ${due ?? 'no valid price'}`;
      this.#findings.ofEvent('price-mismatch', recorded, detail);
    }
    if (data.leaseId !== null) account.leases.spend(data.leaseId, data.amount);
    this.#spendBudget(account, data.call.tokenId, data.amount);
  }

  /** A lease takes no more than what is free of the balance and of the token's budget. */
  #lease(account: Account, { data }: QuotaLeased, recorded: Recorded): void {
    const { leases, budgets } = account;
    const { leaseId, tokenId, amount } = data;
    const freshly = amount - leases.overrun(leaseId);
    const free = account.balance - leases.reserved();
    const budget = budgets.get(tokenId) ?? { unlimited: tokenId === playground, remain: 0 };
    const ofToken = budget.unlimited ? free : budget.remain - leases.reserved(tokenId);
    const max = Math.max(0, Math.min(free, ofToken));
    if (freshly > max) {
      const detail = `reserves ${freshly}, and ${max} are available`;
      this.#findings.ofEvent('lease-overdraws', recorded, detail);
    }
    if (!leases.isOpen(leaseId)) this.#opened += 1;
    leases.grant(data, recorded.eventId);
  }

  #release(
    { leases }: Account,
    event: Extract<AccountEvent, { type: 'LeaseReturned' | 'LeaseExpired' }>,
    recorded: Recorded,
  ): void {
    const { leaseId, unspent } = event.data;
    if (!leases.isOpen(leaseId)) {
      // What a relay gives back of a lease that expired meanwhile.
      if (unspent === 0 && 'usageNumber' in event.data) return;
      this.#findings.ofEvent('lease-unknown', recorded, `no lease ${leaseId} is open`);
      return;
    }
    const left = leases.unspent(leaseId);
    const closes = event.type === 'LeaseExpired' || event.data.closes;
    const fits = closes ? unspent === left : unspent >= 0 && unspent <= left;
    if (!fits) {
      const detail = `returns ${unspent} of a lease with ${left} left`;
      this.#findings.ofEvent('lease-amount', recorded, detail);
    }
    const isClosed = leases.takeBack(leaseId, { unspent, closes });
    if (isClosed) this.#closed += 1;
  }
}
