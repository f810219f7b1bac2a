import { z } from 'zod';
import { dataQuery } from './query.ts';
import { route } from './route.ts';

/** Milliseconds; null: no call with a value. Of a sample of the calls where there are many. */
const timings = {
  median_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  first_token_ms: z.number().nullable(),
};
const counts = {
  calls: z.number().int(),
  errors: z.number().int(),
  /** Quota units. */
  quota: z.number().int(),
};

/** Totals of a period. Both ends are Unix seconds, inclusive. */
const stretchFigures = z.object({
  start: z.number().int(),
  end: z.number().int(),
  tokens: z.number().int(),
  ...counts,
  ...timings,
});
export type StretchFigures = z.infer<typeof stretchFigures>;

const overviewPoint = z.object({
  /** Unix seconds, the start. */
  at: z.number().int(),
  ...counts,
  median_ms: z.number().nullable(),
  first_token_ms: z.number().nullable(),
});
export type OverviewPoint = z.infer<typeof overviewPoint>;

/** A model, a user or a token; `id` is 0 for models and for the playground. */
const rankedThing = z.object({
  id: z.number().int(),
  name: z.string(),
  tokens: z.number().int(),
  ...counts,
});
export type RankedThing = z.infer<typeof rankedThing>;

const usageOverview = z.object({
  current: stretchFigures,
  /** As long as the current one, and just before it. */
  previous: stretchFigures,
  /** Of the current one, oldest first, without gaps. */
  points: z.array(overviewPoint),
  /** Those that cost most; `users` is empty in the view of one user. */
  models: z.array(rankedThing),
  tokens: z.array(rankedThing),
  users: z.array(rankedThing),
});
export type UsageOverview = z.infer<typeof usageOverview>;

const channelHealth = z.object({
  id: z.number().int(),
  name: z.string(),
  ...counts,
  ...timings,
  /** Unix seconds: until then the channel is in cool-down; 0: it is not. */
  cooling_until: z.number().int(),
  /** The last 24 hours of the stretch; hours without calls are missing. */
  hours: z.array(
    z.object({
      at: z.number().int(),
      calls: z.number().int(),
      errors: z.number().int(),
      /** Null: no charged call, or a channel that is not among those with most calls. */
      median_ms: z.number().nullable(),
    }),
  ),
});
export type ChannelHealth = z.infer<typeof channelHealth>;

const overview = { query: dataQuery, data: usageOverview };

export const overviewApi = {
  'GET /api/data/overview': route('admin', 'Returns usage at a glance.', overview),
  'GET /api/data/self/overview': route('user', 'Returns own usage at a glance.', overview),
  'GET /api/data/channels': route('admin', 'Returns the health of channels, busiest first.', {
    query: dataQuery,
    data: z.array(channelHealth),
  }),
};
