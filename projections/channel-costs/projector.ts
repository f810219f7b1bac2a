import type { AccountEvent, RequestCharged } from '../../domain/account/events.ts';
import type { ChannelEvent, ChannelSettings } from '../../domain/channel/events.ts';
import { price } from '../../domain/pricing/price.ts';
import { divideHalfAwayFromZero } from '../../domain/shared/decimal.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import { projector } from '../runtime/projector.ts';
import type { Writers } from '../runtime/table.ts';
import { hourOf, secondsOf } from '../shared/time.ts';
import { type CostContext, prepareCosts } from './cost-context.ts';
import { channelCostsTables, type TaskChargeRow } from './table.ts';

type Rows = Writers<typeof channelCostsTables>;
type Configured = Readonly<{ channelId: number; settings: ChannelSettings }>;

const keepRatio = (
  rows: Rows,
  { channelId, settings: { costRatio: ratio = '' } }: Configured,
  { ratios }: CostContext,
): void => {
  ratios.set(channelId, ratio);
  rows.ratios.put({ channel_id: channelId, ratio });
};

/** What the same usage costs in a group that pays the list price. */
const listPriceOf = ({ usage, quote, amount }: RequestCharged['data']): number =>
  quote.groupRatio === '1' ? amount : price(usage, { ...quote, groupRatio: '1' });

const charge = (rows: Rows, recorded: Recorded<RequestCharged>, context: CostContext): void => {
  const { data } = recorded.event;
  const { channelId, requestId, task } = data.call;
  const sums = {
    channel_id: channelId,
    ratio: context.ratios.get(channelId) ?? '',
    revenue: data.amount,
    list: listPriceOf(data),
  };
  rows.hours.accumulate({ hour: hourOf(secondsOf(recorded)), calls: 1, ...sums });
  if (task === undefined) return;
  const row = { request_id: requestId, ...sums };
  rows.taskCharges.put(row);
  context.taskCharges.set(requestId, row);
};

/** The provider is paid for as much of a task as its user is. */
const refundedPart = (row: TaskChargeRow, amount: number): number =>
  amount >= row.revenue
    ? row.list
    : Number(divideHalfAwayFromZero(BigInt(row.list) * BigInt(amount), BigInt(row.revenue)));

const refund = (
  rows: Rows,
  recorded: Recorded<Extract<AccountEvent, { type: 'RequestRefunded' }>>,
  { taskCharges }: CostContext,
): void => {
  const { requestId, amount } = recorded.event.data;
  const row = taskCharges.get(requestId);
  if (row === undefined) return;
  const list = refundedPart(row, amount);
  const { request_id: _id, ...sums } = row;
  const hour = hourOf(secondsOf(recorded));
  rows.hours.accumulate({ ...sums, hour, calls: 0, revenue: -amount, list: -list });
  const left = { ...row, revenue: row.revenue - amount, list: row.list - list };
  rows.taskCharges.put(left);
  taskCharges.set(requestId, left);
};

/** Answers: what did the calls of each channel bring in, and what do they cost the operator? */
export const channelCostsProjector = projector<ChannelEvent | AccountEvent>()({
  name: 'channel-costs',
  version: 1,
  tables: channelCostsTables,
  prepare: prepareCosts,
  on: {
    ChannelCreated: (rows, { event: { data } }, context) => keepRatio(rows, data, context),
    ChannelChanged: (rows, { event: { data } }, context) => keepRatio(rows, data, context),
    ChannelKeyReplaced: 'ignored',
    ChannelEnabled: 'ignored',
    ChannelDisabled: 'ignored',
    ChannelAutoDisabled: 'ignored',
    ChannelAutoEnabled: 'ignored',
    ChannelTested: 'ignored',
    ChannelBalanceRead: 'ignored',
    ChannelTagged: 'ignored',
    // Calls that were under way are charged later, at the ratio of before.
    ChannelDeleted: 'ignored',

    RequestCharged: charge,
    RequestRefunded: refund,
    AccountOpened: 'ignored',
    QuotaGranted: 'ignored',
    QuotaAdjusted: 'ignored',
    QuotaLeased: 'ignored',
    LeaseReturned: 'ignored',
    LeaseExpired: 'ignored',
    RequestAbandoned: 'ignored',
    TokenBudgetSet: 'ignored',
    UsageNumberSkipped: 'ignored',
    ProducerClosed: 'ignored',
    TokenBudgetClosed: 'ignored',
    ReferralRewarded: 'ignored',
    ReferralRewardTransferred: 'ignored',
    // Settles a dispute with a user; it names no channel.
    CorrectionPosted: 'ignored',
  },
});
