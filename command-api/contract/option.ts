import { z } from 'zod';

/** PUT /api/option/. Numbers and booleans are taken as their texts. */
export const optionBody = z.object({
  key: z.string().min(1).max(128),
  value: z.union([z.string(), z.number(), z.boolean()]).transform(String),
});
