import { defineTable, type RowOf, type SchemaOf } from '../runtime/table.ts';

export const deadLettersTables = {
  /** A usage record that no keeper could settle; missing columns are "" and 0. */
  records: defineTable({
    name: 'records',
    columns: {
      /** Place in the log of the event. */
      position: 'int8',
      event_id: 'text',
      /** Unix seconds. */
      at: 'int8',
      /** `unreadable`, the code of a refusal, or the text of an error. */
      reason: 'text',
      /** `used`, `lost`, `lease-idle`; "" where it is no record. */
      kind: 'text',
      relay_id: 'text',
      request_id: 'text',
      user_id: 'int8',
      model_name: 'text',
      /** Quota units that it would have been charged; null where that cannot be computed. */
      amount: 'int8?',
      /** JSON text, without what people wrote. */
      record: 'text',
    },
    key: ['position'],
  }),
};

export type DeadLetterRow = RowOf<typeof deadLettersTables.records>;
export type DeadLettersSchema = SchemaOf<'dead_letters', typeof deadLettersTables>;
