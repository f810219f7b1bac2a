/** What the console keeps in the browser; names and forms are part of the product. */
export type LocalKey =
  | 'user'
  | 'status'
  | 'theme-mode'
  | 'i18nextLng'
  | 'aff'
  | 'page-size'
  | 'logs-table-columns'
  | 'channels-table-columns'
  | ListColumnsKey
  | 'row-density'
  | 'id-sort'
  | 'channel_models'
  | 'modelsExpanded'
  | 'default_collapse_sidebar'
  | 'notice'
  | 'topup_trade_no'
  | 'home_page_content'
  | StatusCopy;

/** Columns that a user sees of the other lists. */
type ListColumnsKey =
  `${'ledger' | 'tokens' | 'users' | 'redemptions' | 'pricing' | 'tasks' | 'drawings'}-table-columns`;

/** Status fields that are copied as text at each start. */
export const statusCopies = [
  'system_name',
  'logo',
  'footer_html',
  'quota_per_unit',
  'display_in_currency',
  'enable_drawing',
  'enable_task',
  'enable_data_export',
  'data_export_default_time',
  'mj_notify_enabled',
  'docs_link',
] as const;
type StatusCopy = (typeof statusCopies)[number] | 'chats' | 'chat_link' | 'chat_link2';

/** A browser may refuse storage (private mode, blocked cookies); the console then works without. */
export const readLocal = (key: LocalKey): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

export const writeLocal = (key: LocalKey, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Nothing to do: the value lasts as long as the page.
  }
};

export const removeLocal = (key: LocalKey): void => {
  try {
    localStorage.removeItem(key);
  } catch {
    // As above.
  }
};

/** Text that is no JSON, or is of another shape than `isValid` requires, counts as absent. */
export const readLocalJson = <T>(
  key: LocalKey,
  isValid: (value: unknown) => value is T,
): T | null => {
  const text = readLocal(key);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isValid(value) ? value : null;
  } catch {
    return null;
  }
};

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
