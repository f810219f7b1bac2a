import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PricePreview } from '../../../../projections/contract/price-preview.ts';
import { call } from '../../../shared/api/client.ts';
import type { BodyOf } from '../../../shared/api/routes.ts';
import { nowSeconds } from '../../../shared/format/time.ts';

export type { PricePreview };

/** The calendar day before this one, where the page is read. */
const yesterday = (at: number) => {
  const date = new Date(at * 1000);
  const midnight = (daysBack: number) =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBack).getTime() / 1000;
  return { start_timestamp: midnight(1), end_timestamp: midnight(0) - 1 };
};

export type PreviewedChanges = BodyOf<'POST /api/data/price_preview'>['changes'];

/** What yesterday's calls would cost; requested once the changes pause. */
export const usePricePreview = (changes: PreviewedChanges) =>
  useQuery({
    queryKey: ['option', 'price-preview', changes],
    enabled: changes.length > 0,
    meta: { isQuiet: true },
    retry: false,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: () =>
      call('POST /api/data/price_preview', {
        body: { ...yesterday(nowSeconds()), changes },
      }),
  });
