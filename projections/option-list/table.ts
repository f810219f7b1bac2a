import { defineTable, type RowOf, type SchemaOf } from '../runtime/table.ts';

export const optionListTables = {
  /** What was ever set. `value` null: the default holds, or it is a secret. */
  options: defineTable({
    name: 'options',
    columns: {
      key: 'text',
      value: 'text?',
      /** A secret was stored; its text is nowhere in the read models. */
      is_secret_set: 'bool',
      /** Of the newest event behind this row. */
      position: 'int8',
    },
    key: ['key'],
  }),
  /** One row once the site is set up. */
  site: defineTable({
    name: 'site',
    columns: { id: 'int8', root_user_id: 'int8' },
    key: ['id'],
  }),
};

export type OptionListRow = RowOf<typeof optionListTables.options>;
export type OptionListSchema = SchemaOf<'option_list', typeof optionListTables>;
