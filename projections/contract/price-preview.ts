import { z } from 'zod';
import { previewedOptions } from './previewed-options.ts';
import { route } from './route.ts';

/** Writes nothing. Times are Unix seconds, inclusive, of a day at most. */
const pricePreviewBody = z.object({
  start_timestamp: z.number().int().positive(),
  end_timestamp: z.number().int().positive(),
  changes: z
    .array(z.object({ key: z.enum(previewedOptions), value: z.string() }))
    .max(previewedOptions.length),
});

const amounts = {
  calls: z.number().int(),
  /** Quota units that were charged, and that would be. */
  charged: z.number().int(),
  amount: z.number().int(),
};
const pricePreview = z.object({
  ...amounts,
  /** Calls of the range; more than `calls` where only the newest were read. */
  total: z.number().int(),
  /** Calls that would be refused, as their model would have no price. */
  unpriced: z.number().int(),
  /** Models whose calls would cost something else, the largest difference first. */
  models: z.array(z.object({ model_name: z.string(), ...amounts })),
});
export type PricePreview = z.infer<typeof pricePreview>;

export const pricePreviewApi = {
  'POST /api/data/price_preview': route('admin', 'Prices past calls under unsaved options.', {
    body: pricePreviewBody,
    data: pricePreview,
    guards: ['large-body'],
  }),
};
