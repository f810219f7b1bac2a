import type { TFunction } from 'i18next';
import { logTypes } from '../../../../projections/contract/codes.ts';
import type { FilterField } from '../../../shared/components/filter-chip.tsx';
import type { LogFilters } from '../api/logs.ts';

/** What does not narrow the list; the times are those of the range that is chosen. */
export const noLogFilters: LogFilters = {
  type: '0',
  username: '',
  token_name: '',
  model_name: '',
  start_timestamp: '',
  end_timestamp: '',
  channel: '',
  group: '',
};

/** `0`: every type. */
export const logTypeTexts = [
  '0',
  ...Object.values(logTypes).map((type) => `${type}` as const),
] as const;
type LogTypeText = (typeof logTypeTexts)[number];
export const isLogTypeText = (text: string): text is LogTypeText =>
  logTypeTexts.some((type) => type === text);

type Field = FilterField<'token_name' | 'model_name' | 'group' | 'channel' | 'username'>;

/** Channels and user names are for administrators only. */
export const logFields = (t: TFunction<'usage-log'>, isAdmin: boolean): readonly Field[] => {
  const adminFields: readonly Field[] = [
    { name: 'channel', label: t('filter.channel'), kind: 'number' },
    { name: 'username', label: t('filter.username'), kind: 'text' },
  ];
  return [
    { name: 'model_name', label: t('filter.model_name'), kind: 'text' },
    { name: 'token_name', label: t('filter.token_name'), kind: 'text' },
    { name: 'group', label: t('filter.group'), kind: 'text' },
    ...(isAdmin ? adminFields : []),
  ];
};
