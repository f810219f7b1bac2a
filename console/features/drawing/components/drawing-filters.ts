import type { TFunction } from 'i18next';
import type { FilterField } from '../../../shared/components/filter-form.tsx';
import { nowSeconds } from '../../../shared/format/time.ts';
import type { DrawingFilters } from '../api/drawings.ts';

const thirtyDays = 30 * 86_400;
const oneHour = 3_600;

/** The last thirty days, and an hour more for clocks that go differently. */
export const defaultDrawingFilters = (): DrawingFilters => ({
  channel_id: '',
  mj_id: '',
  start_timestamp: String(nowSeconds() - thirtyDays),
  end_timestamp: String(nowSeconds() + oneHour),
});

/** Channels are the business of administrators. */
export const drawingFields = (
  t: TFunction<'drawing'>,
  isAdmin: boolean,
): readonly FilterField<keyof DrawingFilters>[] => {
  const own: readonly FilterField<keyof DrawingFilters>[] = [
    { name: 'mj_id', label: t('filter.mj_id'), kind: 'text' },
    { name: 'start_timestamp', label: t('filter.start_timestamp'), kind: 'time' },
    { name: 'end_timestamp', label: t('filter.end_timestamp'), kind: 'time' },
  ];
  if (!isAdmin) return own;
  return [{ name: 'channel_id', label: t('filter.channel_id'), kind: 'number' }, ...own];
};
