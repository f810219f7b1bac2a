import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { selfQuery } from '../../../shared/account.ts';
import { call, callForAnswer } from '../../../shared/api/client.ts';
import type { DataOf } from '../../../shared/api/routes.ts';

/** What is shown while an order waits to be paid. Money is text with two decimals. */
export type OpenOrder = Readonly<Omit<DataOf<'POST /api/user/pay_lantu'>, 'bonus_quota'>>;
type Price = Readonly<{ money: string; bonusQuota: number }>;

const orders = ['topup', 'orders'] as const;
const pollMs = 10_000;

/** The price of an amount now; null sends no request. The caller shows what was refused. */
export const usePrice = (amount: number | null) =>
  useQuery({
    queryKey: ['topup', 'price', amount],
    queryFn: async (): Promise<Price> => {
      const body = { amount: amount ?? 0, top_up_code: '' };
      const answer = await callForAnswer('POST /api/user/amount', { body });
      return { money: answer.data, bonusQuota: answer.bonus_quota };
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

/** For a screen: returns a code to scan. */
export const usePayByCode = () =>
  useOrder((amount) => call('POST /api/user/pay_lantu', { body: { amount } }));

/** For a phone: returns the address to go to. */
export const usePayByJump = () =>
  useOrder(async (amount) => {
    const answer = await callForAnswer('POST /api/user/pay_lantu_h5', { body: { amount } });
    return { url: answer.data, tradeNo: answer.trade_no };
  });

/** Polled every ten seconds until the order succeeds or expires, also after a failed call. */
export const useOrderStatus = (tradeNo: string) =>
  useQuery({
    queryKey: ['topup', 'status', tradeNo],
    queryFn: async () => {
      const query = { trade_no: tradeNo };
      return (await call('GET /api/user/lantu_status', { query })).status;
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
    queryFn: () => call('GET /api/topup/self', { query: { p: page, page_size: pageSize } }),
    placeholderData: keepPreviousData,
  });
