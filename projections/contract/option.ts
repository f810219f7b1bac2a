import { z } from 'zod';
import { route } from './route.ts';

/** Values are text; booleans `true`/`false`, maps and lists JSON. No secrets. */
const optionRow = z.object({
  key: z.string(),
  value: z.string(),
  /** Least role that may write it. */
  writer: z.number().int(),
  /** Of a number: the bounds that a write has to keep, both included. */
  min: z.number().optional(),
  max: z.number().optional(),
  /** A stored secret that a change of this option clears, unless it is entered again. */
  secret: z.string().optional(),
});
export type OptionRow = z.infer<typeof optionRow>;

export const optionApi = {
  'GET /api/option/': route('admin', 'Lists the options.', { data: z.array(optionRow) }),
};
