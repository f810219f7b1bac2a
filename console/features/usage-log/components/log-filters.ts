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

export const logTypes = ['0', '1', '2', '3', '4', '5'] as const;
export type LogTypeText = (typeof logTypes)[number];
export const isLogTypeText = (text: string): text is LogTypeText =>
  logTypes.some((type) => type === text);
