import { tableOf } from '../runtime/table.ts';

export type RedemptionListRow = Readonly<{
  id: number;
  /** Who made it. */
  user_id: number;
  /** Sealed; opened when an admin reads it. */
  sealed_key: string;
  /** 1 unused, 2 disabled, 3 used. */
  status: number;
  name: string;
  /** Quota units. */
  quota: number;
  /** Unix seconds. */
  created_time: number;
  redeemed_time: number;
  used_user_id: number;
}>;

/** How many codes there are in each block of ids; the same by name. */
export type CodeBlockRow = Readonly<{ block: number; count: number }>;
export type CodeNameRow = Readonly<{ name: string }> & CodeBlockRow;

export const redemptionListTables = {
  codes: tableOf<RedemptionListRow>()({
    name: 'codes',
    columns: {
      id: 'int8',
      user_id: 'int8',
      sealed_key: 'text',
      status: 'int8',
      name: 'text',
      quota: 'int8',
      created_time: 'int8',
      redeemed_time: 'int8',
      used_user_id: 'int8',
    },
    key: ['id'],
  }),
  blocks: tableOf<CodeBlockRow>()({
    name: 'blocks',
    columns: { block: 'int8', count: 'int8' },
    key: ['block'],
    counters: ['count'],
  }),
  names: tableOf<CodeNameRow>()({
    name: 'names',
    columns: { name: 'text', block: 'int8', count: 'int8' },
    key: ['name', 'block'],
    counters: ['count'],
  }),
};
export type RedemptionListSchema = {
  'redemption_list.codes': RedemptionListRow;
  'redemption_list.blocks': CodeBlockRow;
  'redemption_list.names': CodeNameRow;
};
