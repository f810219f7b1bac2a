import { defineTable, type RowOf, type SchemaOf } from '../runtime/table.ts';

export const refusalsTables = {
  /** Refused calls of one kind in one quarter of an hour, of all relays together. */
  kinds: defineTable({
    name: 'kinds',
    columns: {
      /** What follows up to the model, as one text. */
      kind: 'text',
      /** Start of the quarter, Unix seconds. */
      quarter: 'int8',
      reason: 'text',
      /** 0: the key is not known. */
      user_id: 'int8',
      /** 0: the key is not known, or a session of the console was used. */
      token_id: 'int8',
      model_name: 'text',
      count: 'int8',
      first_request_id: 'text',
      last_request_id: 'text',
    },
    key: ['kind'],
    expiring: { where: 'TRUE', time: 'quarter' },
    indexes: ['(quarter, reason)', '(user_id, quarter)'],
  }),
};

export type RefusalRow = RowOf<typeof refusalsTables.kinds>;
export type RefusalsSchema = SchemaOf<'refusals', typeof refusalsTables>;
