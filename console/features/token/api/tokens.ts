import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { tokenStates } from '../../../../projections/contract/codes.ts';
import type { TokenRow } from '../../../../projections/contract/token.ts';
import { deleteJson, getArray, getJson, postJson, putJson } from '../../../shared/api/client.ts';
import { useRowChange } from '../../../shared/hooks/use-row-change.ts';

export type { TokenRow };
export type TokenSearch = Readonly<{ keyword: string; token: string }>;

/** Pages count from 1 here and from 0 on the wire. A search answers with all matches. */
const tokensQuery = (page: number, pageSize: number, search: TokenSearch) =>
  queryOptions({
    queryKey: ['token', 'list', { page, pageSize, ...search }],
    queryFn: async () => {
      if (search.keyword === '' && search.token === '') {
        return getArray<TokenRow>('/api/token/', { p: page - 1, size: pageSize });
      }
      const found = await getArray<TokenRow>('/api/token/search', search);
      const from = (page - 1) * pageSize;
      return { items: found.items.slice(from, from + pageSize), total: found.items.length };
    },
    placeholderData: keepPreviousData,
  });

export const useTokens = (page: number, pageSize: number, search: TokenSearch) =>
  useQuery(tokensQuery(page, pageSize, search));

export const tokenQuery = (tokenId: number) =>
  queryOptions({
    queryKey: ['token', 'one', tokenId],
    queryFn: () => getJson<TokenRow>(`/api/token/${tokenId}`),
    staleTime: 0,
  });

/** What a user sets; quota in whole units, `expired_time` in Unix seconds or -1. */
export type TokenForm = Readonly<{
  name: string;
  remain_quota: number;
  expired_time: number;
  unlimited_quota: boolean;
  model_limits_enabled: boolean;
  model_limits: string;
  allow_ips: string;
  group: string;
  /** 0: no limit, as for the next two. */
  requests_per_minute: number;
  tokens_per_minute: number;
  /** Calls at the same time. */
  concurrent_requests: number;
}>;

/** The server takes the difference to what was seen: spending since then is not given back. */
export type TokenEdit = TokenForm & Readonly<{ id: number; remain_quota_seen: number }>;

const useTokenChange = <T>(mutationFn: (input: T) => Promise<unknown>, isQuiet = false) => {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { isQuiet },
    mutationFn,
    // After a failure too: of several tokens the first ones may exist.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['token'] }),
  });
};

const randomSuffix = (): string =>
  [...crypto.getRandomValues(new Uint8Array(6))]
    .map((byte) => '0123456789abcdefghijklmnopqrstuvwxyz'[byte % 36])
    .join('');

/**
 * One call for each token; from the second on the name gets a suffix. Stops at a failure, which the
 * caller shows.
 */
export const useCreateTokens = () =>
  useTokenChange(async ({ form, count }: Readonly<{ form: TokenForm; count: number }>) => {
    for (let made = 0; made < count; made += 1) {
      const name = made === 0 ? form.name : `${form.name}-${randomSuffix()}`;
      await postJson('/api/token/', { ...form, name });
    }
  }, true);

/** The caller shows what was refused. */
export const useUpdateToken = () =>
  useTokenChange((change: TokenEdit) => putJson('/api/token/', change), true);

type Switch = Readonly<{ id: number; isOn: boolean }>;
const statusOf = ({ isOn }: Switch) => (isOn ? tokenStates.enabled : tokenStates.disabled);

export const useSetTokenStatus = () =>
  useRowChange({
    lists: ['token', 'list'],
    mutationFn: (change: Switch) =>
      putJson('/api/token/?status_only=true', { id: change.id, status: statusOf(change) }),
    wanted: (change) => ({ status: statusOf(change) }),
  });

export const useDeleteToken = () =>
  useTokenChange((tokenId: number) => deleteJson(`/api/token/${tokenId}/`));
