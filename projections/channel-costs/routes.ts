import type { Kysely } from 'kysely';
import type { marginApi } from '../contract/margin.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { RefusedError } from '../http/refusals.ts';
import { type CallTo, type Handlers, ok } from '../http/routes.ts';
import { hourOf } from '../shared/time.ts';
import { costSums, figuresByChannel, figuresOf, type HourSpan } from './queries.ts';
import type { ChannelCostsSchema } from './table.ts';

const hourSeconds = 3_600;
const maxSeconds = 366 * 86_400;

type RangeQuery = CallTo<'GET /api/data/margin'>['query'];

const hoursBefore = ({ first, last }: HourSpan): HourSpan => ({
  first: first - (last - first) - hourSeconds,
  last: first - hourSeconds,
});
const asRange = ({ first, last }: HourSpan) => ({ start: first, end: last + hourSeconds - 1 });

export const channelCostsRoutes = ({
  db: anyDb,
  lookups,
  clock,
}: ReadDeps): Handlers<typeof marginApi> => {
  const db: Kysely<ChannelCostsSchema> = anyDb.withTables<ChannelCostsSchema>();

  /** The future has no figures: the range ends now at the latest. */
  const spanOf = ({ start_timestamp, end_timestamp }: RangeQuery): HourSpan => {
    const now = Math.floor(clock().getTime() / 1000);
    const to = end_timestamp > 0 ? Math.min(end_timestamp, now) : now;
    const from = Math.min(Math.max(1, start_timestamp), to);
    if (to - from > maxSeconds) throw new RefusedError('request.range-too-long');
    return { first: hourOf(from), last: hourOf(to) };
  };

  return {
    'GET /api/data/margin': async ({ query }) => {
      const span = spanOf(query);
      const before = hoursBefore(span);
      const [sums, earlier] = await Promise.all([costSums(db, span), costSums(db, before)]);
      const channels = figuresByChannel(sums);
      const names = await lookups.channelNames(channels.map(({ id }) => id));
      return ok({
        current: { ...asRange(span), ...figuresOf(sums) },
        previous: { ...asRange(before), ...figuresOf(earlier) },
        channels: channels.map((row) => ({ ...row, name: names.get(row.id) ?? '' })),
      });
    },
  };
};
