import { z } from 'zod';

/** GET /api/option/: values are text; booleans `true`/`false`, maps and lists JSON. No secrets. */
export const optionRow = z.object({ key: z.string(), value: z.string() });
export const optionList = z.array(optionRow);
export type OptionRow = z.infer<typeof optionRow>;
