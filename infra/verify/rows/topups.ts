import type { QuotaGranted } from '../../../domain/account/events.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { TopUpEvent } from '../../../domain/topup/events.ts';
import type { ReadModelView, VerifiedTopUp } from '../../ports/read-models.ts';
import type { Findings } from '../findings.ts';
import { compareRows } from './compare.ts';
import type { Expectation } from './expectation.ts';

type Order = { -readonly [K in keyof VerifiedTopUp]: VerifiedTopUp[K] };

/** Which orders there are, what became of each, and what was credited for it. */
export class ExpectedTopUps implements Expectation {
  readonly name = 'topup-list';
  readonly #orders = new Map<string, Order>();
  /** Credits that name no order known by then. */
  readonly #credits = new Map<string, number>();

  see({ event }: Recorded): void {
    const told = event as TopUpEvent | QuotaGranted;
    if (told.type === 'QuotaGranted') {
      const { source, reference, amount } = told.data;
      if (source !== 'topup') return;
      this.#credits.set(reference, (this.#credits.get(reference) ?? 0) + amount);
      return;
    }
    if (told.type === 'TopUpOrdered') {
      const { tradeNo, userId, quota, bonusQuota, payable } = told.data;
      const brings = { quota: quota + bonusQuota, amountMinor: payable.amountMinor };
      this.#orders.set(tradeNo, { tradeNo, userId, ...brings, status: 'pending', credited: 0 });
      return;
    }
    const order = this.#orders.get(told.data?.tradeNo);
    if (order === undefined) return;
    if (told.type === 'TopUpPaid') order.status = 'success';
    if (told.type === 'TopUpExpired') order.status = 'expired';
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
}
