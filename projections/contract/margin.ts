import { z } from 'zod';
import { dataQuery } from './query.ts';
import { route } from './route.ts';

/** Quota units. Each figure is exact and rounded once. */
const figures = {
  calls: z.number().int(),
  /** What users were charged, less refunds of tasks. */
  revenue: z.number().int(),
  /** Cost of the calls whose cost is recorded; null: none is. */
  cost: z.number().int().nullable(),
  /** Revenue of the calls whose cost is recorded, less their cost; null: none is. */
  margin: z.number().int().nullable(),
  /** Revenue of the calls whose cost is recorded; the rest of it is in no margin. */
  costed_revenue: z.number().int(),
  /** Calls of channels without a cost ratio. */
  uncosted_calls: z.number().int(),
};

const marginPeriod = z.object({
  /** Unix seconds, inclusive: whole hours. */
  start: z.number().int(),
  end: z.number().int(),
  ...figures,
});
/** `name` is "" where the channel was deleted. */
const marginRow = z.object({ id: z.number().int(), name: z.string(), ...figures });
export type MarginFigures = Omit<z.infer<typeof marginRow>, 'id' | 'name'>;
export type MarginRow = z.infer<typeof marginRow>;

/** The hours of the range, and as many before them. */
const marginOverview = z.object({
  current: marginPeriod,
  previous: marginPeriod,
  /** Highest revenue first. */
  channels: z.array(marginRow),
});
export type MarginOverview = z.infer<typeof marginOverview>;

export const marginApi = {
  'GET /api/data/margin': route('admin', 'Returns revenue, cost and margin by channel.', {
    query: dataQuery,
    data: marginOverview,
  }),
};
