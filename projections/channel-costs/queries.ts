import { type Kysely, sql } from 'kysely';
import {
  add,
  type Decimal,
  multiply,
  parseDecimal,
  roundHalfAwayFromZero,
  wholeDecimal,
} from '../../domain/shared/decimal.ts';
import type { MarginFigures } from '../contract/margin.ts';
import type { ChannelCostsSchema } from './table.ts';

/** Starts of hours, Unix seconds, inclusive. */
export type HourSpan = Readonly<{ first: number; last: number }>;

/** Sums of a channel at one ratio of the list price. */
export type CostSums = Readonly<{
  channel_id: number;
  ratio: string;
  calls: number;
  revenue: number;
  list: number;
}>;

export const costSums = async (
  db: Kysely<ChannelCostsSchema>,
  { first, last }: HourSpan,
): Promise<readonly CostSums[]> => {
  const { rows } = await sql<CostSums>`
    SELECT channel_id, ratio, sum(calls)::int8 AS calls, sum(revenue)::int8 AS revenue,
      sum(list)::int8 AS list
    FROM channel_costs.hours WHERE hour BETWEEN ${first} AND ${last}
    GROUP BY channel_id, ratio ORDER BY channel_id, ratio`.execute(db);
  return rows;
};

const costOf = ({ list, ratio }: CostSums): Decimal =>
  multiply(wholeDecimal(list), parseDecimal(ratio));

const total = (rows: readonly CostSums[], name: 'calls' | 'revenue'): number =>
  rows.reduce((sum, row) => sum + row[name], 0);

/** The exact cost of all rows together, rounded once, halves away from zero. */
export const figuresOf = (rows: readonly CostSums[]): MarginFigures => {
  const known = rows.filter(({ ratio }) => ratio !== '');
  const costed = total(known, 'revenue');
  const shared = {
    calls: total(rows, 'calls'),
    revenue: total(rows, 'revenue'),
    costed_revenue: costed,
    uncosted_calls: total(rows, 'calls') - total(known, 'calls'),
  };
  if (known.length === 0) return { ...shared, cost: null, margin: null };
  const cost = Number(roundHalfAwayFromZero(known.map(costOf).reduce(add)));
  return { ...shared, cost, margin: costed - cost };
};

/** The same for each channel, highest revenue first. */
export const figuresByChannel = (
  rows: readonly CostSums[],
): readonly (Readonly<{ id: number }> & MarginFigures)[] =>
  [...new Set(rows.map(({ channel_id }) => channel_id))]
    .map((id) => ({ id, ...figuresOf(rows.filter(({ channel_id }) => channel_id === id)) }))
    .sort((a, b) => b.revenue - a.revenue || b.calls - a.calls || a.id - b.id);
