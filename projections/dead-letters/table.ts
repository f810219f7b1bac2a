import { tableOf } from '../runtime/table.ts';

/** A usage record that no keeper could settle; missing columns are "" and 0. */
export type DeadLetterRow = Readonly<{
  /** Place in the log of the event. */
  position: number;
  event_id: string;
  /** Unix seconds. */
  at: number;
  /** `unreadable`, the code of a refusal, or the text of an error. */
  reason: string;
  /** `used`, `lost`, `lease-idle`; "" where it is no record. */
  kind: string;
  relay_id: string;
  request_id: string;
  user_id: number;
  model_name: string;
  /** Quota units that it would have been charged; null where that cannot be computed. */
  amount: number | null;
  /** JSON text, without what people wrote. */
  record: string;
}>;

export const deadLettersTables = {
  records: tableOf<DeadLetterRow>()({
    name: 'records',
    columns: {
      position: 'int8',
      event_id: 'text',
      at: 'int8',
      reason: 'text',
      kind: 'text',
      relay_id: 'text',
      request_id: 'text',
      user_id: 'int8',
      model_name: 'text',
      amount: 'int8?',
      record: 'text',
    },
    key: ['position'],
  }),
};
export type DeadLettersSchema = { 'dead_letters.records': DeadLetterRow };
