import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { QuotaGranted } from '../../domain/account/events.ts';
import { verify } from '../../infra/verify/verify.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { aTopUpPaid } from '../../tests/support/topup-examples.ts';
import { before, credited, startTopUpSides } from '../../tests/support/topup-side.ts';
import { startWriteSide } from '../../tests/support/write-side.ts';
import type { JobRow } from '../contract/job.ts';

const site = startTopUpSides();
const { balance, payments, order, notify, statusOf, expectNothing, laterBy } = site;

describe('a notice of payment', () => {
  test('that arrives fifty times at once is credited once, and acknowledged each time', async () => {
    const tradeNo = await order();
    site.provider.pay(tradeNo);
    const notice = site.provider.noticeOf(tradeNo);
    const answers = await Promise.all(Array.from({ length: 50 }, () => notify(notice)));
    expect(new Set(answers)).toEqual(new Set(['SUCCESS']));
    expect(payments()).toHaveLength(1);
    expect(await balance()).toBe(before + credited);
  });
  test('that meets polls for the status at the same moment is credited once', async () => {
    const tradeNo = await order();
    site.provider.pay(tradeNo);
    const notice = site.provider.noticeOf(tradeNo);
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? notify(notice) : statusOf(tradeNo))),
    );
    expect(payments()).toHaveLength(1);
    expect(await balance()).toBe(before + credited);
  });
  test('that two command APIs receive at the same moment is credited once', async () => {
    const tradeNo = await order();
    site.provider.pay(tradeNo);
    const other = await startWriteSide({ eventStore: site.side.eventStore });
    const payload = new URLSearchParams(site.provider.noticeOf(tradeNo)).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const url = '/api/user/lantu/notify';
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const { app } = i % 2 === 0 ? site.side : other;
        return (await app.inject({ method: 'POST', url, headers, payload })).body;
      }),
    );
    expect(new Set(answers)).toEqual(new Set(['SUCCESS']));
    expect(payments()).toHaveLength(1);
    await vi.waitFor(async () => expect(await balance()).toBe(before + credited));
    expect(site.side.events<QuotaGranted['data']>('QuotaGranted')).toHaveLength(2);
    await other.stop();
  });
  test('of a second payment of the order credits nothing and is recorded in the log', async () => {
    const tradeNo = await order();
    site.provider.pay(tradeNo);
    const notice = site.provider.noticeOf(tradeNo);
    expect(await notify(notice)).toBe('SUCCESS');
    const second = site.provider.noticeOf(tradeNo, { order_no: 'second-1' });
    expect(await notify(second)).toBe('SUCCESS');
    expect(await notify(second)).toBe('SUCCESS');
    expect(await balance()).toBe(before + credited);
    expect(site.side.events('TopUpPaidAgain')).toEqual([
      {
        tradeNo,
        userId: expect.any(Number),
        provider: 'lantu',
        providerReference: 'second-1',
        creditedReference: notice.order_no,
        paid: { amountMinor: 7_200, currency: 'CNY' },
      },
    ]);
  });
  test('for an account that has filled up meanwhile is kept, and verify names the order', async () => {
    const tradeNo = await order();
    const full = { id: 1, username: 'root', quota: Number.MAX_SAFE_INTEGER - 100 };
    await site.root.call('PUT', '/api/user/', { body: full });
    expect(await site.post('/api/user/pay_lantu', { amount: 10 })).toMatchObject({
      code: 'topup.account-full',
    });
    site.provider.pay(tradeNo);
    expect(await notify(site.provider.noticeOf(tradeNo))).toBe('SUCCESS');
    expect(payments()).toMatchObject([{ tradeNo }]);
    expect(await balance()).toBe(full.quota);
    const clock = () => new Date(Date.now() + 120_000);
    const { eventStore } = site.side;
    const { breaks } = await verify({ eventStore, readModels: null, clock });
    expect(breaks.map(({ kind, streamId }) => [kind, streamId])).toEqual([
      ['payment-not-granted', `topup-${tradeNo}`],
    ]);
  });
  test('with a wrong signature credits nothing', async () => {
    const tradeNo = await order();
    site.provider.pay(tradeNo);
    const notice = site.provider.noticeOf(tradeNo);
    expect(await notify({ ...notice, sign: '0'.repeat(32) })).toBe('FAIL');
    expect(await notify({ ...notice, total_fee: '0.01' })).toBe('FAIL');
    expect(await notify({})).toBe('FAIL');
    await expectNothing();
  });
  test('of another merchant credits nothing', async () => {
    const tradeNo = await order();
    site.provider.pay(tradeNo);
    expect(await notify(site.provider.noticeOf(tradeNo, { mch_id: '999' }))).toBe('FAIL');
    await expectNothing();
  });
  test.each(['71.99', '72.01', '0.01', '7200', '', '72.001'])(
    'of %j yuan credits nothing',
    async (fee) => {
      const tradeNo = await order();
      site.provider.pay(tradeNo);
      expect(await notify(site.provider.noticeOf(tradeNo, { total_fee: fee }))).toBe('FAIL');
      await expectNothing();
    },
  );
  test('for an order that never was credits nothing', async () => {
    const tradeNo = await order();
    const unknown = { out_trade_no: 'USR1NOaaaaaa1767225600' };
    expect(await notify(site.provider.noticeOf(tradeNo, unknown))).toBe('FAIL');
    await expectNothing();
  });
  test('that the provider does not confirm when queried credits nothing', async () => {
    const tradeNo = await order();
    expect(await notify(site.provider.noticeOf(tradeNo))).toBe('FAIL');
    await expectNothing();
  });
  test('of a failed payment is acknowledged and credits nothing', async () => {
    const tradeNo = await order();
    expect(await notify(site.provider.noticeOf(tradeNo, { code: '1' }))).toBe('SUCCESS');
    await expectNothing();
  });
  test('for an expired order is credited once and marked', async () => {
    const tradeNo = await order();
    laterBy(301_000);
    expect(await statusOf(tradeNo)).toMatchObject({ status: 'expired' });
    site.provider.pay(tradeNo);
    const notice = site.provider.noticeOf(tradeNo);
    expect(await notify(notice)).toBe('SUCCESS');
    expect(await notify(notice)).toBe('SUCCESS');
    expect(await statusOf(tradeNo)).toMatchObject({ status: 'success' });
    expect(payments()).toMatchObject([{ late: true, quota: credited }]);
    expect(await balance()).toBe(before + credited);
  });
});

test('a process that died between payment and credit is made up for at the next start', async () => {
  const tradeNo = await order();
  const { eventStore } = site.side;
  await site.side.stop();
  const streamId = `topup-${tradeNo}`;
  const paid = aTopUpPaid({ tradeNo, userId: 1 });
  const event = { event: paid, eventId: randomUUID(), metadata: aMetadata() };
  await eventStore.append(streamId, [event], 'any');
  for (let instance = 0; instance < 2; instance += 1) {
    await site.startOver(eventStore);
    expect(await statusOf(tradeNo)).toMatchObject({ status: 'success' });
    expect(await balance()).toBe(before + credited);
    if (instance === 0) await site.side.stop();
  }
  expect(site.side.events<QuotaGranted['data']>('QuotaGranted')).toHaveLength(2);
});

describe('orders whose time ran out', () => {
  const close = async (tradeNo: string) => {
    const dueNow = await site.side.bus.serve('topup-list.due', async () => ({
      tradeNos: [tradeNo],
    }));
    const { body } = await site.root.call('POST', '/api/jobs/topup-expiry/run');
    expect(body).toMatchObject({ success: true });
    await vi.waitFor(async () => {
      const { data } = (await site.root.call('GET', '/api/jobs')).body as {
        data: JobRow[];
      };
      const job = data.find(({ name }) => name === 'topup-expiry');
      if (!job?.runs.some(({ asked_by }) => asked_by === 1))
        throw new Error('the run has not ended');
    });
    await dueNow();
  };
  test('are closed by a job', async () => {
    const tradeNo = await order();
    laterBy(301_000);
    await close(tradeNo);
    expect(site.side.events('TopUpExpired')).toMatchObject([{ tradeNo, reason: 'time' }]);
  });
  test('are queried once more, and credited when they were paid', async () => {
    const tradeNo = await order();
    site.provider.pay(tradeNo);
    laterBy(301_000);
    await close(tradeNo);
    expect(site.side.events('TopUpExpired')).toEqual([]);
    expect(payments()).toMatchObject([{ source: 'query', late: true }]);
  });
  test('stay open while their time has not run out', async () => {
    await close(await order());
    expect(site.side.events('TopUpExpired')).toEqual([]);
  });
});
