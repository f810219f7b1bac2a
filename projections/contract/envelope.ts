import { z } from 'zod';

export const nameList = z.array(z.string());

/** Pages count from 1. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    page: z.number().int(),
    page_size: z.number().int(),
    total: z.number().int(),
  });
