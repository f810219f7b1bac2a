import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { TopUpPaid } from '../../domain/topup/events.ts';
import { type LantuStub, startLantuStub } from './lantu-stub.ts';
import { type Person, rootUser, startWriteSide, type WriteSide } from './write-side.ts';

/** What the account of the first administrator holds, and what 10 dollars bring. */
export const before = 100_000_000;
export const credited = 5_600_000;

/** For each test of a file: a write side that sells quota, with a stub of the payment provider. */
export const startTopUpSides = () => {
  let side: WriteSide;
  let root: Person;
  let provider: LantuStub;

  const setOption = (key: string, value: string) =>
    root.call('PUT', '/api/option/', { body: { key, value } });

  beforeEach(async () => {
    provider = await startLantuStub();
    side = await startWriteSide();
    root = await side.root();
    await setOption('LantuApiUrl', provider.url);
    await setOption('LantuMchId', provider.merchantId);
    await setOption('LantuSecretKey', provider.secret);
    await setOption('PayAddress', 'https://pay.example.com/');
    await setOption('EpayId', '1001');
    await setOption('EpayKey', 'epay-secret');
  });
  afterEach(async () => {
    vi.useRealTimers();
    await side.stop();
    await provider.close();
  });

  const post = async (url: string, body: object, headers: Record<string, string> = {}) =>
    (await root.call('POST', url, { body, headers })).body;
  const form = async (url: string, fields: Record<string, string>) => {
    const answer = await side.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    });
    expect(answer.headers['content-type']).toContain('text/plain');
    return answer.body;
  };
  const balance = async () => (await side.keeper.summary(1))?.balance;
  const payments = () => side.events<TopUpPaid['data']>('TopUpPaid');

  return {
    get side() {
      return side;
    },
    get root() {
      return root;
    },
    get provider() {
      return provider;
    },
    /** The write side of another process on the same log. */
    startOver: async (eventStore: WriteSide['eventStore']): Promise<void> => {
      side = await startWriteSide({ eventStore });
      root = side.person();
      await root.signIn(rootUser.username, rootUser.password);
    },
    setOption,
    post,
    form,
    balance,
    payments,
    order: async (amount = 10): Promise<string> => {
      const { data } = await post('/api/user/pay_lantu', { amount });
      return (data as { trade_no: string }).trade_no;
    },
    notify: (fields: Record<string, string>) => form('/api/user/lantu/notify', fields),
    statusOf: async (tradeNo: string, person: Person = root, path = 'lantu_status') =>
      (await person.call('GET', `/api/user/${path}?trade_no=${tradeNo}`)).body,
    expectNothing: async () => {
      expect(payments()).toEqual([]);
      expect(await balance()).toBe(before);
    },
    /** Only the clock: timers go on, as the product waits by them. */
    laterBy: (ms: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    },
  };
};
