import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TopUpPage, TopUpStatus } from '../../../../projections/contract/topup.ts';
import { selfQuery } from '../../../shared/account.ts';
import { getJson, postEnvelope, postJson } from '../../../shared/api/client.ts';

/** What is shown while an order waits to be paid. Money is text with two decimals. */
export type OpenOrder = Readonly<{
  trade_no: string;
  /** `weixin://…`, drawn here; "" where only a picture or nothing is there. */
  code_url: string;
  QRcode_url: string;
  expire_seconds: number;
  money: string;
}>;
type Price = Readonly<{ money: string; bonusQuota: number }>;

const orders = ['topup', 'orders'] as const;
const pollMs = 10_000;

/** What an amount costs now; null does not ask. The caller shows what was refused. */
export const usePrice = (amount: number | null) =>
  useQuery({
    queryKey: ['topup', 'price', amount],
    queryFn: async (): Promise<Price> => {
      const answer = await postEnvelope<string>('/api/user/amount', { amount, top_up_code: '' });
      return { money: answer.data, bonusQuota: Number(answer.bonus_quota) };
    },
    enabled: amount !== null,
    retry: false,
    meta: { isQuiet: true },
  });

/** The caller shows what was refused. */
const useOrder = <T>(mutationFn: (amount: number) => Promise<T>) => {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { isQuiet: true },
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: orders }),
  });
};

/** For a screen: answers with a code to scan. */
export const usePayByCode = () =>
  useOrder((amount) => postJson<OpenOrder>('/api/user/pay_lantu', { amount }));

/** For a phone: answers with the address to go to. */
export const usePayByJump = () =>
  useOrder(async (amount) => {
    const answer = await postEnvelope<string>('/api/user/pay_lantu_h5', { amount });
    return { url: answer.data, tradeNo: String(answer.trade_no) };
  });

/** Asked every ten seconds until the order succeeds or expires, also after a failed call. */
export const useOrderStatus = (tradeNo: string) =>
  useQuery({
    queryKey: ['topup', 'status', tradeNo],
    queryFn: async () => {
      const query = { trade_no: tradeNo };
      return (await getJson<{ status: TopUpStatus }>('/api/user/lantu_status', query)).status;
    },
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data === 'pending' ? pollMs : false,
    refetchIntervalInBackground: true,
    retry: false,
    gcTime: 0,
    meta: { isQuiet: true },
  });

/** Queries that a paid order changes. */
export const useRefreshWallet = () => {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: selfQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: orders });
  };
};

export const useOwnOrders = (page: number, pageSize: number) =>
  useQuery({
    queryKey: [...orders, { page, pageSize }],
    queryFn: () => getJson<TopUpPage>('/api/topup/self', { p: page, page_size: pageSize }),
    placeholderData: keepPreviousData,
  });
