import { z } from 'zod';

/** Every answer but a page of numbers: `message` is "" on success, `data` absent on refusal. */
export const envelopeOf = <T extends z.ZodType>(data: T) =>
  z.object({ success: z.literal(true), message: z.string(), data });

/** HTTP 200 for refusals of the rules; `code` is stable, `message` is for people. */
export const refusal = z.object({
  success: z.literal(false),
  code: z.string(),
  message: z.string(),
});
export type Refusal = z.infer<typeof refusal>;

/** Pages count from 1. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    page: z.number().int(),
    page_size: z.number().int(),
    total: z.number().int(),
  });
