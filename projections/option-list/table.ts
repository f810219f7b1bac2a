import { tableOf } from '../runtime/table.ts';

/** What was ever set. `value` null: the default holds, or it is a secret. */
export type OptionListRow = Readonly<{
  key: string;
  value: string | null;
  /** A secret was stored; its text is nowhere in the read models. */
  is_secret_set: boolean;
  /** Of the newest event behind this row. */
  position: number;
}>;
/** One row once the site is set up. */
export type SiteRow = Readonly<{ id: number; root_user_id: number }>;

export const optionListTables = {
  options: tableOf<OptionListRow>()({
    name: 'options',
    columns: { key: 'text', value: 'text?', is_secret_set: 'bool', position: 'int8' },
    key: ['key'],
  }),
  site: tableOf<SiteRow>()({
    name: 'site',
    columns: { id: 'int8', root_user_id: 'int8' },
    key: ['id'],
  }),
};
export type OptionListSchema = {
  'option_list.options': OptionListRow;
  'option_list.site': SiteRow;
};
