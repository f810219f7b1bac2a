import { defineTable, type RowOf, type SchemaOf } from '../runtime/table.ts';

export const redemptionListTables = {
  codes: defineTable({
    name: 'codes',
    columns: {
      id: 'int8',
      /** Who made it. */
      user_id: 'int8',
      /** Sealed; opened when an admin reads it. */
      sealed_key: 'text',
      /** 1 unused, 2 disabled, 3 used. */
      status: 'int8',
      name: 'text',
      /** Quota units. */
      quota: 'int8',
      /** Unix seconds. */
      created_time: 'int8',
      redeemed_time: 'int8',
      used_user_id: 'int8',
    },
    key: ['id'],
  }),
  /** How many codes there are in each block of ids; the same by name. */
  blocks: defineTable({
    name: 'blocks',
    columns: { block: 'int8', count: 'int8' },
    key: ['block'],
    counters: ['count'],
  }),
  names: defineTable({
    name: 'names',
    columns: { name: 'text', block: 'int8', count: 'int8' },
    key: ['name', 'block'],
    counters: ['count'],
  }),
};

export type RedemptionListRow = RowOf<typeof redemptionListTables.codes>;
export type RedemptionListSchema = SchemaOf<'redemption_list', typeof redemptionListTables>;
