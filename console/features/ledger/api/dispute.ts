import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Repricing } from '../../../../projections/contract/reprice.ts';
import { call } from '../../../shared/api/client.ts';
import type { BodyOf } from '../../../shared/api/routes.ts';

export type { Repricing };

/** What to compute with instead; absent ones stay as they were when the charge was made. */
export type Overrides = NonNullable<BodyOf<'POST /api/audit/reprice'>['overrides']>;

/** Computes, and writes nothing. */
export const useReprice = () =>
  useMutation({
    mutationFn: (body: BodyOf<'POST /api/audit/reprice'>) =>
      call('POST /api/audit/reprice', { body }),
  });

/** `key`: the same correction sent again is posted once. `delta` in quota units, signed. */
export type Correction = Readonly<{ key: string }> & BodyOf<'POST /api/audit/correction'>;

/** The caller shows what was refused. */
export const usePostCorrection = () => {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { isQuiet: true },
    mutationFn: ({ key, ...body }: Correction) =>
      call('POST /api/audit/correction', { body, headers: { 'Idempotency-Key': key } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['ledger'] }),
  });
};
