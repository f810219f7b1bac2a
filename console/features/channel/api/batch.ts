import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteJson, getEnvelope, postJson } from '../../../shared/api/client.ts';

const useBatch = <T, R>(mutationFn: (input: T) => Promise<R>) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['channel', 'list'] }),
  });
};

/** Begins in the background; results come into the list as they arrive. */
export const useTestAll = () => useBatch<void, unknown>(() => getEnvelope('/api/channel/test'));

/** These three answer with how many channels were meant. */
export const useDeleteDisabled = () =>
  useBatch<void, number>(() => deleteJson<number>('/api/channel/disabled'));
export const useDeleteChannels = () =>
  useBatch((ids: readonly number[]) => postJson<number>('/api/channel/batch', { ids }));
export const useTagChannels = () =>
  useBatch((input: Readonly<{ ids: readonly number[]; tag: string }>) =>
    postJson<number>('/api/channel/batch/tag', input),
  );

/** The key is copied by the server and never comes to the browser. */
export const useCopyChannel = () =>
  useBatch((input: Readonly<{ copy_from: number; name: string }>) =>
    postJson('/api/channel/', input),
  );
