import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ChannelRow } from '../../../../projections/contract/channel.ts';
import { call, callForAnswer } from '../../../shared/api/client.ts';
import type { BodyOf, Filled } from '../../../shared/api/routes.ts';
import { useRowChange } from '../../../shared/hooks/use-row-change.ts';
import { writeLocal } from '../../../shared/local-values.ts';

export type { ChannelRow };

type ChannelSearch = Readonly<{ keyword: string; model: string; group: string }>;
export type ChannelView = ChannelSearch &
  Readonly<{
    page: number;
    pageSize: number;
    idSort: boolean;
    /** Channels of tags only; a page then counts tags. */
    tagMode: boolean;
  }>;

/** Pages count from 1 here and from 0 on the wire. A search answers with all matches. */
const channelsQuery = ({ page, pageSize, idSort, tagMode, ...search }: ChannelView) =>
  queryOptions({
    queryKey: ['channel', 'list', { page, pageSize, idSort, tagMode, ...search }],
    queryFn: async () => {
      const order = { id_sort: idSort, tag_mode: tagMode };
      if (Object.values(search).every((value) => value === '')) {
        const query = { p: page - 1, page_size: pageSize, ...order };
        return { items: await call('GET /api/channel/', { query }), total: null };
      }
      const found = await call('GET /api/channel/search', { query: { ...search, ...order } });
      // A search returns everything; tags are few enough for one page.
      if (tagMode) return { items: found, total: null };
      const from = (page - 1) * pageSize;
      return { items: found.slice(from, from + pageSize), total: found.length };
    },
    placeholderData: keepPreviousData,
  });
export const useChannels = (view: ChannelView) => useQuery(channelsQuery(view));

export const channelQuery = (channelId: number) =>
  queryOptions({
    queryKey: ['channel', 'one', channelId],
    queryFn: () => call('GET /api/channel/:id', { params: { id: channelId } }),
    staleTime: 0,
  });

/** Names in the price list of groups: the groups that exist. */
const groupsQuery = queryOptions({
  queryKey: ['channel', 'groups'],
  queryFn: () => call('GET /api/group/'),
});
export const useGroups = () => useQuery(groupsQuery);

const modelsByTypeQuery = queryOptions({
  queryKey: ['channel', 'models-by-type'],
  queryFn: async () => {
    const models = await call('GET /api/models');
    writeLocal('channel_models', JSON.stringify(models));
    return models;
  },
  staleTime: 600_000,
});
export const useModelsByType = () => useQuery(modelsByTypeQuery);

const catalogueQuery = queryOptions({
  queryKey: ['channel', 'catalogue'],
  queryFn: async () => {
    const models = await call('GET /api/channel/models');
    return [...new Set(models.map(({ id }) => id))];
  },
  staleTime: 600_000,
});
export const useCatalogue = () => useQuery(catalogueQuery);

/** What a person sets. Lists are comma texts; an empty key on an existing channel keeps the old. */
export type ChannelForm = Filled<Omit<BodyOf<'POST /api/channel/'>, 'copy_from'>>;
type ChannelEdit = ChannelForm & Readonly<{ id: number; reason?: string }>;
/** What is changed in the list itself. */
type ChannelNumber = Readonly<{ priority: number }> | Readonly<{ weight: number }>;
type ChannelRowChange = Readonly<{ id: number }> & (ChannelNumber | Readonly<{ status: 1 | 2 }>);

const useChannelChange = <T, R>(mutationFn: (input: T) => Promise<R>, isQuiet = false) => {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { isQuiet },
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['channel', 'list'] }),
  });
};

/** The caller shows what was refused. */
export const useCreateChannel = () =>
  useChannelChange((body: ChannelForm) => call('POST /api/channel/', { body }), true);
export const useUpdateChannel = () =>
  useChannelChange((body: ChannelEdit) => call('PUT /api/channel/', { body }), true);
export const useChangeChannelRow = () =>
  useRowChange({
    lists: ['channel', 'list'],
    mutationFn: (body: ChannelRowChange) => call('PUT /api/channel/', { body }),
    wanted: ({ id: _, ...fields }) => fields,
  });
export const useDeleteChannel = () =>
  useChannelChange((id: number) => call('DELETE /api/channel/:id', { params: { id } }));

/** Seconds that the upstream took. */
export const useTestChannel = () =>
  useChannelChange(async ({ id, model }: Readonly<{ id: number; model?: string }>) => {
    const sent = { params: { id }, query: { model } };
    return (await callForAnswer('GET /api/channel/test/:id', sent)).time;
  });

/** The models that the provider itself lists, for a saved channel or for what is typed. */
export const useFetchModels = () =>
  useMutation({
    mutationFn: ({ id, form }: Readonly<{ id: number | null; form: ChannelForm }>) =>
      id === null
        ? call('POST /api/channel/fetch_models', {
            body: { base_url: form.base_url, type: form.type, key: form.key },
          })
        : call('GET /api/channel/fetch_models/:id', { params: { id } }),
  });
