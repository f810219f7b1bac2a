import { z } from 'zod';
import { reasonText } from './fields.ts';

/**
 * PUT /api/option/. Numbers and booleans are taken as their texts. `secret`: the secret that is sent
 * to where this option says, entered again. Without it a change of the option forgets that secret,
 * and the answer names it in `data.secret_needed`.
 */
export const optionBody = z.object({
  key: z.string().min(1).max(128),
  value: z.union([z.string(), z.number(), z.boolean()]).transform(String),
  secret: z.string().trim().max(10_000).nullish(),
  reason: reasonText,
});
