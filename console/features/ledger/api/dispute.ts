import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Repricing } from '../../../../projections/contract/reprice.ts';
import { postJson } from '../../../shared/api/client.ts';

export type { Repricing };

/** What to compute with instead; absent ones stay as they were when the charge was made. */
export type Overrides = Readonly<{
  model_ratio?: string;
  completion_ratio?: string;
  cache_ratio?: string;
  cache_creation_ratio?: string;
  group_ratio?: string;
  model_price?: string;
  usage?: Readonly<{
    prompt_tokens?: number;
    completion_tokens?: number;
    cached_tokens?: number;
    cache_creation_tokens?: number;
  }>;
}>;

/** POST /api/audit/reprice: computes, and writes nothing. */
export const useReprice = () =>
  useMutation({
    mutationFn: (
      input: Readonly<{ user_id: number; request_ids: readonly string[]; overrides: Overrides }>,
    ) => postJson<Repricing>('/api/audit/reprice', input),
  });

/** `key`: the same correction sent again is posted once. `delta` in quota units, signed. */
export type Correction = Readonly<{
  key: string;
  user_id: number;
  delta: number;
  corrects: readonly string[];
  reason: string;
  reference: string;
}>;

/** The caller shows what was refused. */
export const usePostCorrection = () => {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { isQuiet: true },
    mutationFn: ({ key, ...body }: Correction) =>
      postJson<Readonly<{ balance: number | null }>>('/api/audit/correction', body, {
        'Idempotency-Key': key,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['ledger'] }),
  });
};
