import type { QuotaGranted } from '../../domain/account/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { TopUpOrdered, TopUpPaid } from '../../domain/topup/events.ts';
import { quoteTopUp } from '../../domain/topup/quote.ts';
import { topUpStreamId } from '../../domain/topup/stream.ts';
import { type Check, timeOf } from './check.ts';
import type { ConcernedEvent } from './concerns.ts';
import type { Findings } from './findings.ts';

type Order = {
  userId: number;
  amountMinor: number;
  quota: number;
  payment: Readonly<{ eventId: string; streamId: string; atMs: number }> | null;
  isGranted: boolean;
};

/** The process that credits a payment has this long before its absence is a break. */
const graceMs = 60_000;

/** What its terms make of an order; null when the order has the same. */
const orderProblem = ({ terms, payable, ...order }: TopUpOrdered['data']): string | null => {
  const quote = quoteTopUp(terms);
  if (typeof quote === 'string') return `has terms without a price: ${quote}`;
  const { payableMinor, quota, bonusQuota } = quote;
  if (payable.amountMinor !== payableMinor) {
    return `costs ${payable.amountMinor}, its terms give ${payableMinor}`;
  }
  if (order.quota === quota && order.bonusQuota === bonusQuota) return null;
  return `is for ${order.quota} units and a bonus of ${order.bonusQuota}, its terms give ${quota} and ${bonusQuota}`;
};

/**
 * Money from outside: an order costs what its terms define, is paid once and for that sum, and a paid
 * order is credited; a credit by payment names a paid order. Remembers each order.
 */
export class PaymentCheck implements Check<'payments'> {
  readonly #findings: Findings;
  readonly #orders = new Map<string, Order>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  see(recorded: Recorded<ConcernedEvent<'payments'>>): void {
    const { event } = recorded;
    if (event.type !== 'QuotaGranted') this.#checkStream(recorded, event.data.tradeNo);
    switch (event.type) {
      case 'QuotaGranted':
        this.#grant(recorded, event.data);
        return;
      case 'TopUpOrdered':
        this.#order(recorded, event.data);
        return;
      case 'TopUpPaid':
        this.#pay(recorded, event.data);
        return;
      case 'TopUpOffered':
      case 'TopUpExpired':
        return;
    }
  }

  end(now: number): void {
    for (const [tradeNo, { payment, isGranted, userId, quota }] of this.#orders) {
      if (payment === null || isGranted || now - payment.atMs < graceMs) continue;
      const { eventId, streamId } = payment;
      const detail = `order ${tradeNo} of user ${userId} was paid, and its ${quota} units were not granted`;
      this.#findings.ofEarlier('payment-not-granted', { eventId, streamId, detail });
    }
  }

  #checkStream(recorded: Recorded, tradeNo: string): void {
    const { streamId } = recorded;
    if (streamId === topUpStreamId(tradeNo)) return;
    this.#findings.ofEvent('wrong-stream', recorded, `order ${tradeNo} is in ${streamId}`);
  }

  #order(recorded: Recorded, data: TopUpOrdered['data']): void {
    const { tradeNo, userId, payable, quota, bonusQuota } = data;
    const problem = orderProblem(data);
    if (problem !== null) {
      this.#findings.ofEvent('order-mismatch', recorded, `order ${tradeNo} ${problem}`);
    }
    const brings = { amountMinor: payable.amountMinor, quota: quota + bonusQuota };
    this.#orders.set(tradeNo, { userId, ...brings, payment: null, isGranted: false });
  }

  #pay(recorded: Recorded, data: TopUpPaid['data']): void {
    const { tradeNo, userId, paid, quota } = data;
    const order = this.#orders.get(tradeNo);
    if (order === undefined) {
      this.#findings.ofEvent('paid-without-order', recorded, `no order ${tradeNo} exists`);
      return;
    }
    if (order.payment !== null) {
      this.#findings.ofEvent('paid-twice', recorded, `order ${tradeNo} was paid before`);
      return;
    }
    const { eventId, streamId } = recorded;
    order.payment = { eventId, streamId, atMs: timeOf(recorded) };
    const isSame =
      order.userId === userId && order.amountMinor === paid.amountMinor && order.quota === quota;
    if (isSame) return;
    const detail = `order ${tradeNo} of user ${order.userId} costs ${order.amountMinor} for ${order.quota} units`;
    this.#findings.ofEvent('paid-mismatch', recorded, detail);
  }

  #grant(recorded: Recorded, data: QuotaGranted['data']): void {
    const { source, reference, userId, amount } = data;
    if (source !== 'topup') return;
    const order = this.#orders.get(reference);
    const isPaid = order !== undefined && order.payment !== null;
    if (isPaid) order.isGranted = true;
    if (isPaid && order.userId === userId && order.quota === amount) return;
    const detail = isPaid
      ? `order ${reference} is for ${order.quota} units and user ${order.userId}`
      : `order ${reference} was not paid`;
    this.#findings.ofEvent('grant-without-payment', recorded, detail);
  }
}
