import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { tokenStates } from '../../../../projections/contract/codes.ts';
import type { TokenRow } from '../../../../projections/contract/token.ts';
import { call } from '../../../shared/api/client.ts';
import type { BodyOf, Filled } from '../../../shared/api/routes.ts';
import { useRowChange } from '../../../shared/hooks/use-row-change.ts';

export type { TokenRow };
export type TokenSearch = Readonly<{ keyword: string; token: string }>;

/** Pages count from 1 here and from 0 on the wire. A search answers with all matches. */
const tokensQuery = (page: number, pageSize: number, search: TokenSearch) =>
  queryOptions({
    queryKey: ['token', 'list', { page, pageSize, ...search }],
    queryFn: async () => {
      if (search.keyword === '' && search.token === '') {
        const query = { p: page - 1, size: pageSize };
        return { items: await call('GET /api/token/', { query }), total: null };
      }
      const found = await call('GET /api/token/search', { query: search });
      const from = (page - 1) * pageSize;
      return { items: found.slice(from, from + pageSize), total: found.length };
    },
    placeholderData: keepPreviousData,
  });

export const useTokens = (page: number, pageSize: number, search: TokenSearch) =>
  useQuery(tokensQuery(page, pageSize, search));

export const tokenQuery = (tokenId: number) =>
  queryOptions({
    queryKey: ['token', 'one', tokenId],
    queryFn: () => call('GET /api/token/:id', { params: { id: tokenId } }),
    staleTime: 0,
  });

/** What a user sets; quota in whole units, `expired_time` in Unix seconds or -1. */
export type TokenForm = Filled<Omit<BodyOf<'POST /api/token/'>, 'remain_quota_seen'>>;

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
      await call('POST /api/token/', { body: { ...form, name } });
    }
  }, true);

/** The caller shows what was refused. */
export const useUpdateToken = () =>
  useTokenChange((body: TokenEdit) => call('PUT /api/token/', { body }), true);

type Switch = Readonly<{ id: number; isOn: boolean }>;
const statusOf = ({ isOn }: Switch) => (isOn ? tokenStates.enabled : tokenStates.disabled);

export const useSetTokenStatus = () =>
  useRowChange({
    lists: ['token', 'list'],
    mutationFn: (change: Switch) =>
      call('PUT /api/token/', {
        query: { status_only: true },
        body: { id: change.id, status: statusOf(change) },
      }),
    wanted: (change) => ({ status: statusOf(change) }),
  });

export const useDeleteToken = () =>
  useTokenChange((id: number) => call('DELETE /api/token/:id', { params: { id } }));
