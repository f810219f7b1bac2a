import type { QuotaGranted } from '../../../domain/account/events.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { TopUpOrdered } from '../../../domain/topup/events.ts';
import type { ReadModelView, VerifiedTopUp } from '../../ports/read-models.ts';
import type { ConcernedEvent } from '../concerns.ts';
import type { Findings } from '../findings.ts';
import { compareRows } from './compare.ts';
import type { Expectation } from './expectation.ts';

type Order = { -readonly [K in keyof VerifiedTopUp]: VerifiedTopUp[K] };

/** Which orders there are, what became of each, and what was credited for it. */
export class ExpectedTopUps implements Expectation<'topup-list'> {
  readonly name = 'topup-list';
  readonly #orders = new Map<string, Order>();
  /** Credits whose order has not appeared yet. */
  readonly #credits = new Map<string, number>();

  see({ event }: Recorded<ConcernedEvent<'topup-list'>>): void {
    switch (event.type) {
      case 'QuotaGranted':
        this.#credit(event.data);
        return;
      case 'TopUpOrdered':
        this.#order(event.data);
        return;
      case 'TopUpPaid':
        this.#setStatus(event.data.tradeNo, 'success');
        return;
      case 'TopUpExpired':
        this.#setStatus(event.data.tradeNo, 'expired');
        return;
    }
  }

  compare(view: ReadModelView, findings: Findings): Promise<number> {
    const expected = [...this.#orders].map(([tradeNo, order]): [string, VerifiedTopUp] => [
      tradeNo,
      { ...order, credited: this.#credits.get(tradeNo) ?? 0 },
    ]);
    return compareRows<VerifiedTopUp>({
      findings,
      table: 'topup_list.orders',
      rows: view.topUps(),
      expected: new Map(expected),
      keyOf: ({ tradeNo }) => tradeNo,
    });
  }

  #credit({ source, reference, amount }: QuotaGranted['data']): void {
    if (source !== 'topup') return;
    this.#credits.set(reference, (this.#credits.get(reference) ?? 0) + amount);
  }

  #order({ tradeNo, userId, quota, bonusQuota, payable }: TopUpOrdered['data']): void {
    const brings = { quota: quota + bonusQuota, amountMinor: payable.amountMinor };
    this.#orders.set(tradeNo, { tradeNo, userId, ...brings, status: 'pending', credited: 0 });
  }

  #setStatus(tradeNo: string, status: Order['status']): void {
    const order = this.#orders.get(tradeNo);
    if (order !== undefined) order.status = status;
  }
}
