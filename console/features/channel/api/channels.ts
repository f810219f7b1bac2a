import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  CatalogueModel,
  ChannelRow,
  ModelsByType,
} from '../../../../projections/contract/channel.ts';
import {
  deleteJson,
  getArray,
  getEnvelope,
  getJson,
  postJson,
  putJson,
} from '../../../shared/api/client.ts';
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
        const paging = { p: page - 1, page_size: pageSize };
        return getArray<ChannelRow>('/api/channel/', { ...paging, ...order });
      }
      const found = await getArray<ChannelRow>('/api/channel/search', { ...search, ...order });
      // A search answers with everything; tags are few enough to stand on one page.
      if (tagMode) return { items: found.items, total: null };
      const from = (page - 1) * pageSize;
      return { items: found.items.slice(from, from + pageSize), total: found.items.length };
    },
    placeholderData: keepPreviousData,
  });
export const useChannels = (view: ChannelView) => useQuery(channelsQuery(view));

export const channelQuery = (channelId: number) =>
  queryOptions({
    queryKey: ['channel', 'one', channelId],
    queryFn: () => getJson<ChannelRow>(`/api/channel/${channelId}`),
    staleTime: 0,
  });

/** Names in the price list of groups: the groups that exist. */
const groupsQuery = queryOptions({
  queryKey: ['channel', 'groups'],
  queryFn: () => getJson<string[]>('/api/group/'),
});
export const useGroups = () => useQuery(groupsQuery);

const modelsByTypeQuery = queryOptions({
  queryKey: ['channel', 'models-by-type'],
  queryFn: async () => {
    const models = await getJson<ModelsByType>('/api/models');
    writeLocal('channel_models', JSON.stringify(models));
    return models;
  },
  staleTime: 600_000,
});
export const useModelsByType = () => useQuery(modelsByTypeQuery);

const catalogueQuery = queryOptions({
  queryKey: ['channel', 'catalogue'],
  queryFn: async () => {
    const models = await getJson<CatalogueModel[]>('/api/channel/models');
    return [...new Set(models.map(({ id }) => id))];
  },
  staleTime: 600_000,
});
export const useCatalogue = () => useQuery(catalogueQuery);

/** What a person sets. Lists are comma texts; an empty key on an existing channel keeps the old. */
export type ChannelForm = Readonly<{
  type: number;
  name: string;
  key: string;
  base_url: string;
  other: string;
  models: string;
  group: string;
  model_mapping: string;
  status_code_mapping: string;
  setting: string;
  param_override: string;
  openai_organization: string;
  test_model: string;
  tag: string;
  priority: number;
  weight: number;
  auto_ban: 0 | 1;
  /** Prompt tokens; 0: no limit. */
  max_input_tokens: number;
  /** Of the list price; "": unknown. */
  cost_ratio: string;
}>;
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
  useChannelChange((form: ChannelForm) => postJson('/api/channel/', form), true);
export const useUpdateChannel = () =>
  useChannelChange((change: ChannelEdit) => putJson('/api/channel/', change), true);
export const useChangeChannelRow = () =>
  useRowChange({
    lists: ['channel', 'list'],
    mutationFn: (change: ChannelRowChange) => putJson('/api/channel/', change),
    wanted: ({ id: _, ...fields }) => fields,
  });
export const useDeleteChannel = () =>
  useChannelChange((channelId: number) => deleteJson(`/api/channel/${channelId}/`));

/** Seconds that the upstream took. */
export const useTestChannel = () =>
  useChannelChange(async ({ id, model }: Readonly<{ id: number; model?: string }>) => {
    const answer = await getEnvelope<unknown>(`/api/channel/test/${id}`, { model });
    return Number(answer.time ?? 0);
  });

/** The models that the provider itself lists, for a saved channel or for what is typed. */
export const useFetchModels = () =>
  useMutation({
    mutationFn: ({ id, form }: Readonly<{ id: number | null; form: ChannelForm }>) =>
      id === null
        ? postJson<string[]>('/api/channel/fetch_models', {
            base_url: form.base_url,
            type: form.type,
            key: form.key,
          })
        : getJson<string[]>(`/api/channel/fetch_models/${id}`),
  });
