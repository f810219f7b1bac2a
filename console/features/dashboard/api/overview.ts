import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { MarginOverview, MarginRow } from '../../../../projections/contract/margin.ts';
import type {
  ChannelHealth,
  OverviewPoint,
  RankedThing,
  UsageOverview,
} from '../../../../projections/contract/overview.ts';
import { call } from '../../../shared/api/client.ts';

export type { ChannelHealth, MarginOverview, MarginRow, OverviewPoint, RankedThing, UsageOverview };

/** Unix seconds. */
export type Span = Readonly<{ start: number; end: number }>;
/** `username` narrows the view of an administrator; "": all users. */
export type OverviewView = Span & Readonly<{ username: string; isSite: boolean }>;

const overviewQuery = ({ start, end, username, isSite }: OverviewView) =>
  queryOptions({
    queryKey: ['dashboard', 'overview', { start, end, username, isSite }],
    queryFn: () =>
      call(isSite ? 'GET /api/data/overview' : 'GET /api/data/self/overview', {
        query: {
          start_timestamp: start,
          end_timestamp: end,
          ...(isSite && username !== '' && { username }),
        },
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
      call('GET /api/data/channels', { query: { start_timestamp: start, end_timestamp: end } }),
    placeholderData: keepPreviousData,
  });

export const useMargin = ({ start, end }: Span) =>
  useQuery({
    queryKey: ['dashboard', 'margin', { start, end }],
    queryFn: () =>
      call('GET /api/data/margin', { query: { start_timestamp: start, end_timestamp: end } }),
    placeholderData: keepPreviousData,
  });

/** Their names and states, those without calls included. */
export const useChannelStates = () =>
  useQuery({
    queryKey: ['dashboard', 'channel-states'],
    queryFn: () => call('GET /api/channel/', { query: { p: 0, page_size: 1_000 } }),
  });

export const useOwnTokens = () =>
  useQuery({
    queryKey: ['dashboard', 'tokens'],
    queryFn: () => call('GET /api/token/', { query: { p: 0, size: 100 } }),
  });

const shownErrors = 5;
const errorType = 5;

export const useLatestErrors = ({ start, end, username, isSite }: OverviewView) =>
  useQuery({
    queryKey: ['dashboard', 'errors', { start, end, username, isSite }],
    queryFn: async () =>
      (
        await call(isSite ? 'GET /api/log/' : 'GET /api/log/self', {
          query: {
            p: 1,
            page_size: shownErrors,
            type: errorType,
            start_timestamp: start,
            end_timestamp: end,
            ...(isSite && username !== '' && { username }),
          },
        })
      ).items,
    placeholderData: keepPreviousData,
  });
