import type { TFunction } from 'i18next';
import { logTypes } from '../../../../projections/contract/codes.ts';
import type { FilterField } from '../../../shared/components/filter-form.tsx';
import { nowSeconds, startOfToday } from '../../../shared/format/time.ts';
import type { LogFilters } from '../api/logs.ts';

/**
 * Today from midnight to an hour ahead. Made once for a visit: an end that moves with the clock
 * would ask the server anew at each rendering.
 */
export const defaultLogFilters = (): LogFilters => ({
  type: '0',
  username: '',
  token_name: '',
  model_name: '',
  start_timestamp: String(startOfToday()),
  end_timestamp: String(nowSeconds() + 3600),
  channel: '',
  group: '',
});

/** `0`: every type. */
export const logTypeTexts = [
  '0',
  ...Object.values(logTypes).map((type) => `${type}` as const),
] as const;
export type LogTypeText = (typeof logTypeTexts)[number];
export const isLogTypeText = (text: string): text is LogTypeText =>
  logTypeTexts.some((type) => type === text);

type Field = FilterField<Exclude<keyof LogFilters, 'type'>>;

/** Channels and user names are for administrators only. */
export const logFields = (t: TFunction<'usage-log'>, isAdmin: boolean): readonly Field[] => {
  const adminFields: readonly Field[] = [
    { name: 'channel', label: t('filter.channel'), kind: 'number' },
    { name: 'username', label: t('filter.username'), kind: 'text' },
  ];
  return [
    { name: 'start_timestamp', label: t('filter.start_timestamp'), kind: 'time' },
    { name: 'end_timestamp', label: t('filter.end_timestamp'), kind: 'time' },
    { name: 'token_name', label: t('filter.token_name'), kind: 'text' },
    { name: 'model_name', label: t('filter.model_name'), kind: 'text' },
    { name: 'group', label: t('filter.group'), kind: 'text' },
    ...(isAdmin ? adminFields : []),
  ];
};
