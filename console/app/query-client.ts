import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { ApiError } from '../shared/api/api-error.ts';
import { reportError } from '../shared/api/report-error.ts';
import { dismissFailures } from '../shared/toast.ts';

const report = (error: unknown) => reportError(error, i18next.getFixedT(null, 'common'));

/** A refusal stays a refusal; only a call without an answer is worth a retry. */
const isWorthRetry = (failures: number, error: Error) =>
  error instanceof ApiError && error.kind === 'network' && failures < 2;

/** Queries whose failure is shown; once all of them have answered, the toast goes. */
const createReportedQueries = () => {
  const failing = new Set<string>();
  return {
    add: ({ queryHash }: Query<unknown, unknown>) => failing.add(queryHash),
    answered: ({ queryHash }: Query<unknown, unknown>) => {
      if (failing.delete(queryHash) && failing.size === 0) dismissFailures();
    },
  };
};

/** Every failed call shows a toast, unless its `meta.isQuiet` leaves that to the screen. */
export const createQueryClient = (): QueryClient => {
  const reported = createReportedQueries();
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.isQuiet === true) return;
        reported.add(query);
        report(error);
      },
      onSuccess: (_data, query) => reported.answered(query),
    }),
    mutationCache: new MutationCache({
      onSuccess: dismissFailures,
      // biome-ignore lint/complexity/useMaxParams: the library says what it hands over
      onError: (error, _variables, _context, mutation) => {
        if (mutation.meta?.isQuiet !== true) report(error);
      },
    }),
    defaultOptions: {
      queries: { retry: isWorthRetry, refetchOnWindowFocus: false, staleTime: 2000 },
      mutations: { retry: false },
    },
  });
};
