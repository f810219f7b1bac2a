import { z } from 'zod';
import { pageOf } from './envelope.ts';
import { refusalQuery } from './query.ts';
import { route } from './route.ts';

/** Calls that the relays refused before they were admitted, of one kind in a quarter of an hour. */
const refusedCalls = z.object({
  /** Start of the quarter, Unix seconds. */
  quarter: z.number().int(),
  /** Code of the error, as the caller got it. */
  reason: z.string(),
  /** 0: the key is not known. */
  user_id: z.number().int(),
  /** "" where the key is not known, or the user was deleted. */
  username: z.string(),
  /** 0: the key is not known, or a session of the console was used. */
  token_id: z.number().int(),
  token_name: z.string(),
  /** As the caller named it; "": none was read; `(other)`: of any user, key and model. */
  model_name: z.string(),
  count: z.number().int(),
  first_request_id: z.string(),
  last_request_id: z.string(),
});

export const refusalApi = {
  'GET /api/data/refusals': route(
    'admin',
    'Lists refused calls by quarter of an hour, reason, user, key and model; newest first.',
    {
      query: refusalQuery,
      data: pageOf(refusedCalls).extend({
        /** Of all pages. */
        calls: z.number().int(),
      }),
    },
  ),
};
