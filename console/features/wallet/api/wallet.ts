import { useMutation, useQueryClient } from '@tanstack/react-query';
import { selfQuery } from '../../../shared/account.ts';
import { call } from '../../../shared/api/client.ts';

/** Returns the quota units of the code. */
export const useRedeem = () => {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { isQuiet: true },
    mutationFn: (key: string) => call('POST /api/user/topup', { body: { key } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: selfQuery.queryKey }),
  });
};
