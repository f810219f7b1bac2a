import { paths } from '../../../shared/paths.ts';
import type { OverviewView } from '../api/overview.ts';

type Narrowing = Readonly<
  Partial<Record<'type' | 'model_name' | 'token_name' | 'username' | 'channel', string>>
>;

/** The entries of the usage log behind a figure of the same range. */
export const logLink = (
  { start, end, username, isSite }: OverviewView,
  narrowing: Narrowing = {},
): string => {
  const query = new URLSearchParams({
    start_timestamp: String(start),
    end_timestamp: String(end),
    ...(isSite && username !== '' && { username }),
    ...narrowing,
  });
  return `${paths.log}?${query}`;
};
