import type { TFunction } from 'i18next';
import type { FilterField } from '../../../shared/components/filter-chip.tsx';
import type { DrawingFilters } from '../api/drawings.ts';

/** What does not narrow the list; the times are those of the range that is chosen. */
export const noDrawingFilters: DrawingFilters = {
  channel_id: '',
  mj_id: '',
  start_timestamp: '',
  end_timestamp: '',
};

type Field = FilterField<'channel_id' | 'mj_id'>;

/** Channels are the business of administrators. */
export const drawingFields = (t: TFunction<'drawing'>, isAdmin: boolean): readonly Field[] => {
  const own: readonly Field[] = [{ name: 'mj_id', label: t('filter.mj_id'), kind: 'text' }];
  if (!isAdmin) return own;
  return [{ name: 'channel_id', label: t('filter.channel_id'), kind: 'number' }, ...own];
};
