import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';

const useBatch = <T, R>(mutationFn: (input: T) => Promise<R>) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['channel', 'list'] }),
  });
};

/** Begins in the background; results are added to the list as they arrive. */
export const useTestAll = () => useBatch<void, void>(() => call('GET /api/channel/test'));

/** These three answer with how many channels were meant. */
export const useDeleteDisabled = () =>
  useBatch<void, number>(() => call('DELETE /api/channel/disabled'));
export const useDeleteChannels = () =>
  useBatch((ids: readonly number[]) => call('POST /api/channel/batch', { body: { ids } }));
export const useTagChannels = () =>
  useBatch((body: Readonly<{ ids: readonly number[]; tag: string }>) =>
    call('POST /api/channel/batch/tag', { body }),
  );

/** The key is copied by the server and never sent to the browser. */
export const useCopyChannel = () =>
  useBatch((body: Readonly<{ copy_from: number; name: string }>) =>
    call('POST /api/channel/', { body }),
  );
