import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PricePreview } from '../../../../projections/contract/price-preview.ts';
import { postJson } from '../../../shared/api/client.ts';
import { nowSeconds } from '../../../shared/format/time.ts';
import type { OptionChange } from './options.ts';

export type { PricePreview };

/** The calendar day before this one, where the page is read. */
const yesterday = (at: number) => {
  const date = new Date(at * 1000);
  const midnight = (daysBack: number) =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBack).getTime() / 1000;
  return { start_timestamp: midnight(1), end_timestamp: midnight(0) - 1 };
};

type Changes = readonly Pick<OptionChange, 'key' | 'value'>[];

/** What yesterday's calls would cost; asked for once the changes rest. */
export const usePricePreview = (changes: Changes) =>
  useQuery({
    queryKey: ['option', 'price-preview', changes],
    enabled: changes.length > 0,
    meta: { isQuiet: true },
    retry: false,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: () =>
      postJson<PricePreview>('/api/data/price_preview', {
        ...yesterday(nowSeconds()),
        changes: changes.map(({ key, value }) => ({ key, value })),
      }),
  });
