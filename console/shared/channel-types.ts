import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ChannelType } from '../../projections/contract/channel.ts';
import { call } from './api/client.ts';

export type { ChannelType };

/** The facts of each type of channel, in the order of the select. */
const channelTypesQuery = queryOptions({
  queryKey: ['channel', 'types'],
  queryFn: () => call('GET /api/channel/types'),
  staleTime: 600_000,
});
/** For administrators alone. */
export const useChannelTypes = ({ enabled = true } = {}) =>
  useQuery({ ...channelTypesQuery, enabled });

/** The type with this number; undefined while types are on their way, and for unknown numbers. */
export const useChannelType = (id: number): ChannelType | undefined =>
  useChannelTypes().data?.find((type) => type.id === id);

/** The name of a type in the language of the console. */
export const useTypeLabel = () => {
  const { i18n } = useTranslation();
  return ({ label }: ChannelType): string => (i18n.language === 'en' ? label.en : label.zh);
};
