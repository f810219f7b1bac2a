import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, callForAnswer } from '../../../shared/api/client.ts';

const useChannelCall = <T, R>(mutationFn: (input: T) => Promise<R>) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['channel', 'list'] }),
  });
};

/** The remaining balance that the provider reports. */
export const useUpdateBalance = () =>
  useChannelCall(async (channelId: number) => {
    const params = { id: channelId };
    return (await callForAnswer('GET /api/channel/update_balance/:id', { params })).balance;
  });

/** Begins in the background; results are added to the list as they arrive. */
export const useUpdateBalances = () =>
  useChannelCall<void, void>(() => call('GET /api/channel/update_balance'));

/** Returns how many entries were repaired. */
export const useRepairChannels = () =>
  useChannelCall<void, number>(() => call('POST /api/channel/fix'));

/** As many as the server lists at once. */
const maxChannels = 1000;

/** Every channel, while a round over all of them runs; null: no round. */
export const useRound = (startedAt: number | null) =>
  useQuery(
    queryOptions({
      queryKey: ['channel', 'list', 'round', startedAt],
      queryFn: () => call('GET /api/channel/', { query: { p: 0, page_size: maxChannels } }),
      enabled: startedAt !== null,
      refetchInterval: 1500,
      meta: { isQuiet: true },
    }),
  );
