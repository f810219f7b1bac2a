import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountEvent, RequestCharged } from '../../domain/account/events.ts';
import type { PriceQuote, RatioQuote } from '../../domain/pricing/types.ts';
import { aRequestCharged } from '../../tests/support/account-events.ts';
import { someSettings } from '../../tests/support/channel-examples.ts';
import { type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import { testNow } from '../../tests/support/read-side.ts';
import { signedIn } from '../../tests/support/read-side-story.ts';

/*
 * The amounts are computed manually. A call of the examples is 1,000 prompt tokens, 200 of them
 * cached, and 500 out, at a ratio of 1.25: (800 + 200 × 0.5 + 500 × 4) × 1.25 = 3,625 units.
 */
let api: ReadApi;
const root = 1;
const ada = 42;
const hour = 3_600;
const ratioed = 20;
const unknown = 21;
const drawing = 22;
/** Whole hours, ten days before the story, which so leaves these figures alone. */
const end = Math.floor(testNow.getTime() / 1_000 / hour) * hour - 240 * hour - 1;
const start = end + 1 - 2 * hour;
const range = `start_timestamp=${start}&end_timestamp=${end}`;
const at = (seconds: number) => ({ occurredAt: new Date(seconds * 1_000).toISOString() });

const setRatio = (
  type: 'ChannelCreated' | 'ChannelChanged',
  { channelId, costRatio }: Readonly<{ channelId: number; costRatio?: string }>,
) => {
  const settings = someSettings({
    name: `channel ${channelId}`,
    ...(costRatio !== undefined && { costRatio }),
  });
  const data =
    type === 'ChannelCreated'
      ? { channelId, settings, sealedKey: 'sealed:key', status: 1 }
      : { channelId, settings };
  return api.side.append(`channel-${channelId}`, [{ type, data } as never, at(start - 10 * hour)]);
};

const inGroup = (groupRatio: string): RatioQuote => ({
  kind: 'ratio',
  model: 'gpt-4o',
  modelRatio: '1.25',
  completionRatio: '4',
  cacheRatio: '0.5',
  cacheCreationRatio: '1.25',
  groupRatio,
});
type Call = Partial<RequestCharged['data']['call']>;
let made = 0;
const charge = async (
  seconds: number,
  { channelId, requestId, task }: Call,
  terms: Partial<RequestCharged['data']>,
): Promise<void> => {
  made += 1;
  const call = {
    requestId: requestId ?? `margin-${made}`,
    channelId: channelId ?? 0,
    ...(task !== undefined && { task }),
  };
  await api.side.append(`account-${ada}`, [aRequestCharged({ ...terms, call }), at(seconds)]);
};
const refund = async (seconds: number, requestId: string, amount: number): Promise<void> => {
  const refunded: AccountEvent = {
    type: 'RequestRefunded',
    data: { userId: ada, requestId, tokenId: 7, amount, reason: 'failed', balanceAfter: 0 },
  };
  await api.side.append(`account-${ada}`, [refunded, at(seconds)]);
};
/** A picture for $0.02, which is 10,000 units, in a group that pays half as much again. */
const picture: PriceQuote = {
  kind: 'price',
  model: 'mj_imagine',
  modelPrice: '0.02',
  groupRatio: '1.5',
  quotaPerUnit: 500_000,
  flat: true,
};

beforeAll(async () => {
  api = await startReadApi();
  await setRatio('ChannelCreated', { channelId: ratioed, costRatio: '0.8' });
  await setRatio('ChannelCreated', { channelId: unknown });
  await setRatio('ChannelCreated', { channelId: drawing, costRatio: '0.1' });
  await charge(start - 1, { channelId: ratioed }, { amount: 3_625 });
  await charge(start, { channelId: ratioed }, { amount: 3_625 });
  await charge(end, { channelId: ratioed }, { amount: 1_813, quote: inGroup('0.5') });
  await setRatio('ChannelChanged', { channelId: ratioed, costRatio: '0.333' });
  await charge(end, { channelId: ratioed }, { amount: 7_250, quote: inGroup('2') });
  await charge(end - 5, { channelId: unknown }, { amount: 3_625 });
  const task = { platform: 'mj', action: 'IMAGINE', upstreamId: 'up-1' } as const;
  await charge(
    start + 9,
    { channelId: drawing, requestId: 'drawn', task },
    { amount: 15_000, quote: picture },
  );
  await api.side.settle();
  // In another batch, so that the charge is read and not remembered.
  await refund(end - 1, 'drawn', 7_500);
  // A call that was refunded without being a task, and one of another period.
  await refund(end - 1, 'margin-1', 5);
  await charge(end + 1, { channelId: ratioed }, { amount: 3_625 });
  await api.side.settle();
});
afterAll(() => api.stop());

test('revenue, cost and margin of a period are next to those of the one before', async () => {
  const { current, previous } = await api.data('/api/data/margin', root, `?${range}`);
  expect(current).toEqual({
    start,
    end,
    calls: 5,
    // 3,625 + 1,813 + 7,250 + 3,625 + 15,000 - 7,500
    revenue: 23_813,
    // 0.8 × (3,625 + 3,625) + 0.333 × 3,625 + 0.1 × (10,000 - 5,000) = 7,507.125
    cost: 7_507,
    // 23,813 - 3,625 of unknown cost - 7,507
    margin: 12_681,
    costed_revenue: 20_188,
    uncosted_calls: 1,
  });
  expect(previous).toEqual({
    start: start - 2 * hour,
    end: start - 1,
    calls: 1,
    revenue: 3_625,
    cost: 2_900,
    margin: 725,
    costed_revenue: 3_625,
    uncosted_calls: 0,
  });
});

test('each channel has separate figures, and none where its cost is unknown', async () => {
  const { channels } = await api.data('/api/data/margin', root, `?${range}`);
  expect(channels).toEqual([
    {
      id: ratioed,
      name: 'channel 20',
      calls: 3,
      revenue: 12_688,
      // 0.8 × 7,250 + 0.333 × 3,625 = 7,007.125
      cost: 7_007,
      margin: 5_681,
      costed_revenue: 12_688,
      uncosted_calls: 0,
    },
    {
      id: drawing,
      name: 'channel 22',
      calls: 1,
      revenue: 7_500,
      cost: 500,
      margin: 7_000,
      costed_revenue: 7_500,
      uncosted_calls: 0,
    },
    {
      id: unknown,
      name: 'channel 21',
      calls: 1,
      revenue: 3_625,
      cost: null,
      margin: null,
      costed_revenue: 0,
      uncosted_calls: 1,
    },
  ]);
});

test('what channels cost is for administrators, and for a year at most', async () => {
  const asUser = await api.get(`/api/data/margin?${range}`, signedIn(ada));
  expect(asUser.body.success).toBe(false);
  const long = await api.get('/api/data/margin?start_timestamp=1', signedIn(root));
  expect(long.body.success).toBe(false);
});
