import { z } from 'zod';
import { pageOf } from './envelope.ts';
import { idParams, pageQuery } from './query.ts';
import { route } from './route.ts';

/** A usage record that no keeper could settle: served, and not charged. */
const deadLetter = z.object({
  /** Place in the log. */
  id: z.number().int(),
  event_id: z.string(),
  /** Unix seconds. */
  at: z.number().int(),
  /** `unreadable`, the code of a refusal, or the text of an error. */
  reason: z.string(),
  /** `used`, `lost`, `lease-idle`; "" where it is no record. */
  kind: z.string(),
  relay_id: z.string(),
  request_id: z.string(),
  /** 0 where the record does not contain it. */
  user_id: z.number().int(),
  username: z.string(),
  model_name: z.string(),
  /** Quota units that it would have been charged; null where that cannot be computed. */
  amount: z.number().int().nullable(),
});
export type DeadLetter = z.infer<typeof deadLetter>;

/** Newest first. */
const deadLetterPage = pageOf(deadLetter);

/** `record` is JSON; what people wrote is left out. */
const deadLetterRecord = z.object({ id: z.number().int(), record: z.unknown() });

export const deadLetterApi = {
  'GET /api/dead_letter/': route('admin', 'Lists usage records that no keeper could settle.', {
    query: pageQuery,
    data: deadLetterPage,
  }),
  'GET /api/dead_letter/:id': route('admin', 'Returns such a record.', {
    params: idParams,
    data: deadLetterRecord,
  }),
};
