import { afterAll, beforeAll, expect, test } from 'vitest';
import type { QuotaGranted } from '../../domain/account/events.ts';
import type { DueTopUps } from '../../domain/topup/messages.ts';
import { aQuotaGranted } from '../../tests/support/account-events.ts';
import { people, type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import { signedIn } from '../../tests/support/read-side-story.ts';
import { aTopUpExpired, aTopUpOrdered, aTopUpPaid } from '../../tests/support/topup-examples.ts';

let api: ReadApi;
const { root, ada } = people;
const numbers = {
  paid: 'USR42NOpaid001767225600',
  open: 'USR42NOopen001767225600',
  late: 'USR42NOlate001767225600',
  lost: 'USR42NOlost001767225600',
  forged: 'USR42NOforged1767225600',
} as const;
const soon = '2026-03-01T08:20:00.000Z';

/** The credit of an order as the process books it. */
const credit = (tradeNo: string, changes: Partial<QuotaGranted['data']> = {}): QuotaGranted =>
  aQuotaGranted({
    amount: 5_600_000,
    source: 'topup',
    reference: tradeNo,
    payment: {
      provider: 'lantu',
      providerReference: 'WX1',
      paid: { amountMinor: 7_200, currency: 'CNY' },
      bonusQuota: 600_000,
    },
    ...changes,
  });

beforeAll(async () => {
  api = await startReadApi();
  const { append } = api.side;
  const { paid, open, late, lost, forged } = numbers;
  await append(
    `topup-${paid}`,
    aTopUpOrdered({ tradeNo: paid }),
    aTopUpPaid({ tradeNo: paid, providerReference: 'WX1' }),
  );
  await append('account-42', credit(paid));
  await append(`topup-${open}`, aTopUpOrdered({ tradeNo: open, expiresAt: soon }), {
    type: 'TopUpOffered',
    data: { tradeNo: open, codeUrl: 'weixin://x', pictureUrl: '', payUrl: '' },
  });
  const expired = aTopUpExpired();
  await append(
    `topup-${late}`,
    aTopUpOrdered({ tradeNo: late }),
    { ...expired, data: { ...expired.data, tradeNo: late } },
    aTopUpPaid({ tradeNo: late, late: true }),
  );
  await append('account-42', credit(late), credit(late));
  await append(`topup-${lost}`, aTopUpOrdered({ tradeNo: lost }), aTopUpPaid({ tradeNo: lost }));
  await append(`topup-${paid}`, {
    type: 'TopUpPaidAgain',
    data: {
      tradeNo: paid,
      userId: 42,
      provider: 'lantu',
      providerReference: 'WX2',
      creditedReference: 'WX1',
      paid: { amountMinor: 7_200, currency: 'CNY' },
    },
  });
  await append(`topup-${forged}`, aTopUpOrdered({ tradeNo: forged }));
  await append('account-42', credit(forged));
  await api.side.settle();
});
afterAll(() => api.stop());

test('a user sees the own orders, newest first', async () => {
  const { items, total } = await api.data('/api/topup/self', ada);
  expect(total).toBe(5);
  expect(items.map(({ trade_no, status }) => [trade_no, status])).toEqual([
    [numbers.forged, 'expired'],
    [numbers.lost, 'success'],
    [numbers.late, 'success'],
    [numbers.open, 'pending'],
    [numbers.paid, 'success'],
  ]);
  expect(items[3]).toMatchObject({ code_url: 'weixin://x', money: '72.00', amount: '10' });
  expect(items[4]).toMatchObject({ credited_quota: 5_600_000, provider_reference: 'WX1' });
  expect((await api.data('/api/topup/self', root)).total).toBe(0);
});

test('an operator finds an order by its number, by the number of the provider and by status', async () => {
  const found = async (query: string) =>
    (await api.data('/api/topup/', root, `?${query}`)).items.map(({ trade_no }) => trade_no);
  expect(await found(`keyword=${numbers.open.slice(0, 10)}`)).toEqual([numbers.open]);
  expect(await found('keyword=WX1')).toEqual([numbers.paid]);
  expect(await found('status=pending')).toEqual([numbers.open]);
  expect(await found('status=expired')).toEqual([numbers.forged]);
  expect(await found('user_id=7')).toEqual([]);
  const refused = await api.get('/api/topup/', signedIn(ada));
  expect(refused.body).toMatchObject({ code: 'auth.not-allowed' });
});

test('the reconciliation names what was paid and not credited, and the other way round', async () => {
  const found = await api.data('/api/topup/reconciliation', root);
  expect(found).toMatchObject({
    checked_at: 1_772_352_900,
    paid: { count: 3, money: '216.00', quota: 16_800_000, late: 1 },
    credited: { count: 4, quota: 22_400_000 },
    settling: 0,
  });
  expect(found.paid_not_credited.map(({ trade_no }) => trade_no)).toEqual([numbers.lost]);
  expect(found.credited_not_paid.map(({ trade_no, problem }) => [trade_no, problem])).toEqual([
    [numbers.late, 'credited-before'],
    [numbers.forged, 'not-paid'],
  ]);
  expect(found.paid_again).toMatchObject([
    {
      trade_no: numbers.paid,
      username: 'ada',
      provider_reference: 'WX2',
      credited_reference: 'WX1',
      money: '72.00',
      currency: 'CNY',
    },
  ]);
  const refused = await api.get('/api/topup/reconciliation', signedIn(ada));
  expect(refused.body).toMatchObject({ code: 'auth.not-allowed' });
});

test('the ledger shows the credit with the number of the provider', async () => {
  const page = await api.data('/api/ledger/self', ada, '?page_size=100');
  const entry = page.items.findLast(({ reason }) => reason === 'topup');
  expect(entry).toMatchObject({ delta: 5_600_000, reference: `${numbers.paid} / WX1` });
});

test('the usage log shows what was paid, what was credited and the bonus', async () => {
  const { items } = await api.data('/api/log/self', ada, '?type=1');
  expect(items.at(-1)?.content).toBe(
    `Topped up $11.20 by WeChat for 72.00 CNY, $1.20 of it on top, order ${numbers.paid}`,
  );
});

test('the trail shows who reported that an order was paid', async () => {
  const query = `?subject_kind=topup&subject_id=${numbers.late}`;
  const { items } = await api.data('/api/audit', root, query);
  expect(items.map(({ type }) => type)).toEqual(['TopUpPaid', 'TopUpExpired', 'TopUpOrdered']);
  const [paid] = items;
  expect(paid?.changes).toContainEqual({ field: 'status', before: 'expired', after: 'paid' });
  expect(paid?.changes).toContainEqual({ field: 'late', before: null, after: true });
});

test('the write side reads which orders were not paid in time', async () => {
  const ask = (at: number, limit = 10) =>
    api.side.bus.request<object, DueTopUps>('topup-list.due', { at, limit });
  const late = Date.parse(soon) / 1_000;
  expect(await ask(late - 1)).toEqual({ tradeNos: [numbers.forged] });
  expect(await ask(late)).toEqual({ tradeNos: [numbers.forged, numbers.open] });
  expect(await ask(late, 1)).toEqual({ tradeNos: [numbers.forged] });
});
