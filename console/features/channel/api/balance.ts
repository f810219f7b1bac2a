import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getArray, getEnvelope, postJson } from '../../../shared/api/client.ts';
import type { ChannelRow } from './channels.ts';

const useChannelCall = <T, R>(mutationFn: (input: T) => Promise<R>) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['channel', 'list'] }),
  });
};

/** What the provider says is left. */
export const useUpdateBalance = () =>
  useChannelCall(async (channelId: number) => {
    const answer = await getEnvelope<unknown>(`/api/channel/update_balance/${channelId}/`);
    return Number(answer.balance ?? 0);
  });

/** Begins in the background; results come into the list as they arrive. */
export const useUpdateBalances = () =>
  useChannelCall<void, unknown>(() => getEnvelope('/api/channel/update_balance'));

/** Answers with how many entries were mended. */
export const useRepairChannels = () =>
  useChannelCall<void, number>(() => postJson<number>('/api/channel/fix', {}));

/** As many as the server lists at once. */
const maxChannels = 1000;

/** Every channel, while a round over all of them runs; null: no round. */
export const useRound = (startedAt: number | null) =>
  useQuery(
    queryOptions({
      queryKey: ['channel', 'list', 'round', startedAt],
      queryFn: async () =>
        (await getArray<ChannelRow>('/api/channel/', { p: 0, page_size: maxChannels })).items,
      enabled: startedAt !== null,
      refetchInterval: 1500,
      meta: { isQuiet: true },
    }),
  );
