import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OptionRow } from '../../../../projections/contract/option.ts';
import { getJson, postJson, putJson } from '../../../shared/api/client.ts';
import { statusQuery } from '../../../shared/status.ts';

/** All but secrets; every value is text. */
export type Options = ReadonlyMap<string, string>;
export type OptionChange = Readonly<{ key: string; value: string }>;

const key = ['option'];

export const useOptions = () =>
  useQuery({
    queryKey: key,
    queryFn: async (): Promise<Options> => {
      const rows = await getJson<OptionRow[]>('/api/option/');
      return new Map(rows.map((row) => [row.key, row.value]));
    },
  });

const useOptionCall = <T>(mutationFn: (input: T) => Promise<void>) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: key });
      await queryClient.invalidateQueries({ queryKey: statusQuery.queryKey });
    },
  });
};

const isSwitch = ({ value }: OptionChange) => value === 'true' || value === 'false';

/**
 * One call for each option, one after the other, switches last: a switch may need what stands
 * beside it. Stops at the first refusal; what was saved before it stays saved.
 */
export const useSaveOptions = () =>
  useOptionCall(async (changes: readonly OptionChange[]) => {
    const inOrder = [...changes].sort((a, b) => Number(isSwitch(a)) - Number(isSwitch(b)));
    for (const change of inOrder) await putJson('/api/option/', change);
  });

export const useResetRatios = () =>
  useOptionCall<void>(() => postJson('/api/option/rest_model_ratio', {}));
