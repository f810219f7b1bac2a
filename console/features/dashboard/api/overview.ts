import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { ChannelRow } from '../../../../projections/contract/channel.ts';
import type { LogPage } from '../../../../projections/contract/log.ts';
import type { MarginOverview, MarginRow } from '../../../../projections/contract/margin.ts';
import type {
  ChannelHealth,
  OverviewPoint,
  RankedThing,
  UsageOverview,
} from '../../../../projections/contract/overview.ts';
import type { TokenRow } from '../../../../projections/contract/token.ts';
import { getArray, getJson } from '../../../shared/api/client.ts';

export type { ChannelHealth, MarginOverview, MarginRow, OverviewPoint, RankedThing, UsageOverview };

/** Unix seconds. */
export type Span = Readonly<{ start: number; end: number }>;
/** `username` narrows the view of an administrator; "": all users. */
export type OverviewView = Span & Readonly<{ username: string; isSite: boolean }>;

const overviewQuery = ({ start, end, username, isSite }: OverviewView) =>
  queryOptions({
    queryKey: ['dashboard', 'overview', { start, end, username, isSite }],
    queryFn: () =>
      getJson<UsageOverview>(isSite ? '/api/data/overview' : '/api/data/self/overview', {
        start_timestamp: start,
        end_timestamp: end,
        ...(isSite && username !== '' && { username }),
      }),
    placeholderData: keepPreviousData,
  });
export const useOverview = (view: OverviewView) => useQuery(overviewQuery(view));

/** What the signed-in person spends. For ordinary users the same call as the rest of the page. */
export const useOwnOverview = (span: Span) =>
  useQuery(overviewQuery({ ...span, username: '', isSite: false }));

export const useChannelHealth = ({ start, end }: Span) =>
  useQuery({
    queryKey: ['dashboard', 'channels', { start, end }],
    queryFn: () =>
      getJson<ChannelHealth[]>('/api/data/channels', {
        start_timestamp: start,
        end_timestamp: end,
      }),
    placeholderData: keepPreviousData,
  });

export const useMargin = ({ start, end }: Span) =>
  useQuery({
    queryKey: ['dashboard', 'margin', { start, end }],
    queryFn: () =>
      getJson<MarginOverview>('/api/data/margin', { start_timestamp: start, end_timestamp: end }),
    placeholderData: keepPreviousData,
  });

/** Their names and states, those without calls included. */
export const useChannelStates = () =>
  useQuery({
    queryKey: ['dashboard', 'channel-states'],
    queryFn: async () =>
      (await getArray<ChannelRow>('/api/channel/', { p: 0, page_size: 1_000 })).items,
  });

export const useOwnTokens = () =>
  useQuery({
    queryKey: ['dashboard', 'tokens'],
    queryFn: async () => (await getArray<TokenRow>('/api/token/', { p: 0, size: 100 })).items,
  });

const shownErrors = 5;
const errorType = 5;

export const useLatestErrors = ({ start, end, username, isSite }: OverviewView) =>
  useQuery({
    queryKey: ['dashboard', 'errors', { start, end, username, isSite }],
    queryFn: async () =>
      (
        await getJson<LogPage>(isSite ? '/api/log/' : '/api/log/self/', {
          p: 1,
          page_size: shownErrors,
          type: errorType,
          start_timestamp: start,
          end_timestamp: end,
          ...(isSite && username !== '' && { username }),
        })
      ).items,
    placeholderData: keepPreviousData,
  });
