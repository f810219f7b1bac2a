import type { Recorded } from '../../domain/shared/event.ts';
import type { Check } from './check.ts';
import { CompactIds } from './compact-ids.ts';
import type { ConcernedEvent } from './concerns.ts';
import type { Findings } from './findings.ts';

const charged = 1;
const failed = 2;
const abandoned = 4;

/**
 * Every request has one outcome: charged, failed or abandoned. An abandonment may be followed by
 * a late report of the relay, a charge or a failure, which is then the outcome. Nothing follows a
 * charge but refunds, up to its amount.
 */
export class RequestCheck implements Check<'requests'> {
  readonly #findings: Findings;
  readonly #requests = new CompactIds({ amounts: true });
  readonly #counts = { charged: 0, failed: 0, abandoned: 0 };

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  has(requestId: string): boolean {
    return this.#requests.markOf(requestId) !== 0;
  }

  see(recorded: Recorded<ConcernedEvent<'requests'>>): void {
    const { event } = recorded;
    switch (event.type) {
      case 'RequestCharged':
        this.#charge(recorded, event.data.call.requestId, event.data.amount);
        return;
      case 'RequestFailed':
        this.#fail(recorded, event.data.call.requestId);
        return;
      case 'RequestAbandoned':
        this.#abandon(recorded, event.data.requestId);
        return;
      case 'RequestRefunded':
        this.#refund(recorded, event.data.requestId, event.data.amount);
        return;
    }
  }

  /** `started`: announced by relays. Those without an outcome are open, which is no break. */
  end(started: Iterable<string>) {
    let open = 0;
    for (const requestId of started) if (!this.has(requestId)) open += 1;
    return { ...this.#counts, open };
  }

  #charge(recorded: Recorded, requestId: string, amount: number): void {
    const before = this.#requests.mark(requestId, charged);
    if (before & charged) {
      this.#findings.ofEvent('charged-twice', recorded, `request ${requestId} is charged again`);
      return;
    }
    if (before & failed) this.#second(recorded, `request ${requestId} is charged after it failed`);
    if (before & abandoned) this.#counts.abandoned -= 1;
    this.#counts.charged += 1;
    this.#requests.addAmount(requestId, amount);
  }

  #fail(recorded: Recorded, requestId: string): void {
    const before = this.#requests.mark(requestId, failed);
    if (before & (charged | failed)) {
      const what = before & charged ? 'was charged' : 'had failed already';
      this.#second(recorded, `request ${requestId} fails after it ${what}`);
      return;
    }
    if (before & abandoned) this.#counts.abandoned -= 1;
    this.#counts.failed += 1;
  }

  #abandon(recorded: Recorded, requestId: string): void {
    const before = this.#requests.mark(requestId, abandoned);
    if (before & abandoned) {
      const detail = `request ${requestId} is abandoned again`;
      this.#findings.ofEvent('abandoned-twice', recorded, detail);
      return;
    }
    if (before & (charged | failed)) {
      const what = before & charged ? 'charged' : 'failed';
      this.#second(recorded, `request ${requestId} is abandoned after it was ${what}`);
      return;
    }
    this.#counts.abandoned += 1;
  }

  #refund(recorded: Recorded, requestId: string, amount: number): void {
    if (!(this.#requests.markOf(requestId) & charged)) {
      const detail = `request ${requestId} was never charged`;
      this.#findings.ofEvent('refund-without-charge', recorded, detail);
      return;
    }
    const left = this.#requests.amountOf(requestId);
    if (amount > left) {
      const detail = `refunds ${amount}, and ${left} of the charge remain`;
      this.#findings.ofEvent('refund-exceeds-charge', recorded, detail);
    }
    this.#requests.addAmount(requestId, -amount);
  }

  #second(recorded: Recorded, detail: string): void {
    this.#findings.ofEvent('two-outcomes', recorded, detail);
  }
}
