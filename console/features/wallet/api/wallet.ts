import { useMutation, useQueryClient } from '@tanstack/react-query';
import { selfQuery } from '../../../shared/account.ts';
import { postJson } from '../../../shared/api/client.ts';

/** POST /api/user/topup: answers with the quota units of the code. */
export const useRedeem = () => {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { isQuiet: true },
    mutationFn: (key: string) => postJson<number>('/api/user/topup', { key }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: selfQuery.queryKey }),
  });
};
