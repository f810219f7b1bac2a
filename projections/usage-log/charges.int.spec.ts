import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestCharged } from '../../domain/account/events.ts';
import { aRequestCharged } from '../../tests/support/account-events.ts';
import { type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import { testNow } from '../../tests/support/read-side.ts';
import { signedIn } from '../../tests/support/read-side-story.ts';

let api: ReadApi;
const root = 1;
const ada = 42;

beforeAll(async () => {
  api = await startReadApi();
});
afterAll(() => api.stop());

type Changes = Parameters<typeof aRequestCharged>[0];
const charge = async (occurredAt: string, changes: Changes): Promise<void> => {
  const event: RequestCharged = aRequestCharged(changes);
  await api.side.append('account-42', [event, { occurredAt }]);
  await api.side.settle();
};
const secondsBefore = (seconds: number): string =>
  new Date(testNow.getTime() - seconds * 1_000).toISOString();

test('calls and tokens per minute are those of the last sixty seconds', async () => {
  for (const seconds of [0, 30, 59, 60, 61, 300]) {
    const call = { requestId: `minute-${seconds}`, model: 'by-the-minute' };
    await charge(secondsBefore(seconds), { call });
  }
  const stat = await api.data('/api/log/stat', root, '?model_name=by-the-minute');
  expect(stat).toEqual({ quota: 6 * 3_625, token: 6 * 1_500, rpm: 3, tpm: 3 * 1_500 });
  const range = `start_timestamp=${testNow.getTime() / 1_000 - 400}&end_timestamp=${testNow.getTime() / 1_000 - 100}`;
  const before = await api.data('/api/log/self/stat', ada, `?model_name=by-the-minute&${range}`);
  expect(before).toEqual({ quota: 3_625, token: 1_500, rpm: 3, tpm: 3 * 1_500 });
});

const priceQuote = {
  kind: 'price',
  model: 'by-the-call',
  modelPrice: '0.015',
  groupRatio: '0.8',
  quotaPerUnit: 500_000,
} as const;

test.each([
  [
    'ratios',
    { call: { requestId: 'words-1', model: 'in-words' } },
    'Model ratio 1.25, completion ratio 4, group ratio 1',
    '模型倍率 1.25，补全倍率 4，分组倍率 1',
  ],
  [
    'a price',
    { call: { requestId: 'words-2', model: 'in-words' }, quote: priceQuote, amount: 6_000 },
    'Price per call $0.015, group ratio 0.8',
    '模型价格 $0.015，分组倍率 0.8',
  ],
  [
    'a remark',
    {
      call: { requestId: 'words-3', model: 'in-words' },
      usageNote: 'no usage was reported',
    },
    'Model ratio 1.25, completion ratio 4, group ratio 1. Note: no usage was reported',
    '模型倍率 1.25，补全倍率 4，分组倍率 1，备注：no usage was reported',
  ],
] as const)('the entry of a charge shows by what it was priced: %s', async (_, changes, en, zh) => {
  await charge(secondsBefore(10), changes);
  const { items } = await api.data('/api/log/self', ada, '?model_name=in-words&type=2');
  expect(items[0]?.content).toBe(en);
  const headers = { ...signedIn(ada), 'accept-language': 'zh' };
  const { body } = await api.get('/api/log/self?model_name=in-words&type=2', headers);
  expect(body.data.items[0]?.content).toBe(zh);
});

const setOption = async (key: string, value: string): Promise<void> => {
  const changed = { key, value, previous: null };
  await api.side.append('site', { type: 'OptionChanged', data: changed });
  await api.side.settle();
};
const shownInDashboard = async (model: string): Promise<number> => {
  const rows = await api.data('/api/data/self', ada);
  return rows
    .filter(({ model_name }) => model_name === model)
    .reduce((sum, row) => sum + row.count, 0);
};

test('with the dashboard switched off a charge is in the log and is not recorded for it', async () => {
  const model = 'dashboard-switch';
  await charge(secondsBefore(9), { call: { requestId: 'shown-1', model } });
  await setOption('DataExportEnabled', 'false');
  await charge(secondsBefore(8), { call: { requestId: 'hidden-1', model } });
  await charge(secondsBefore(7), { call: { requestId: 'hidden-2', model: 'only-hidden' } });
  await setOption('DataExportEnabled', 'true');
  await charge(secondsBefore(6), { call: { requestId: 'shown-2', model } });

  expect(await shownInDashboard(model)).toBe(2);
  expect(await shownInDashboard('only-hidden')).toBe(0);
  const { total } = await api.data('/api/log/self', ada, `?model_name=${model}`);
  expect(total).toBe(3);

  const before = Math.floor(testNow.getTime() / 1_000) + 60;
  await api.side.append('site', { type: 'UsageLogPruned', data: { before } });
  await charge(secondsBefore(5), { call: { requestId: 'late', model } });
  expect(await shownInDashboard(model)).toBe(3);
  expect(await shownInDashboard('only-hidden')).toBe(0);
});
