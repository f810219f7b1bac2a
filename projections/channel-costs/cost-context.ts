import { CompiledQuery } from 'kysely';
import type { Recorded } from '../../domain/shared/event.ts';
import type { Place } from '../runtime/row-store.ts';
import { qualified } from '../runtime/table.ts';
import { type CostRatioRow, channelCostsTables, type TaskChargeRow } from './table.ts';

/** What handlers need besides the event; they keep it up to date themselves. */
export type CostContext = Readonly<{
  /** By channel. */
  ratios: Map<number, string>;
  /** Charges of tasks that this batch refunds, by the id of the request. */
  taskCharges: Map<string, TaskChargeRow>;
}>;

const memoryKey = 'cost-ratios';

const readRatios = async ({ rows: { db }, schema }: Place): Promise<Map<number, string>> => {
  const { rows } = await db.executeQuery<CostRatioRow>(
    CompiledQuery.raw(`SELECT channel_id, ratio FROM ${qualified(schema, 'ratios')}`),
  );
  return new Map(rows.map(({ channel_id, ratio }) => [channel_id, ratio]));
};

const refundedIn = (events: readonly Recorded[]): readonly string[] =>
  events.flatMap(({ event }) =>
    event.type === 'RequestRefunded' ? [(event.data as { requestId: string }).requestId] : [],
  );

const readTaskCharges = async (
  { rows, schema }: Place,
  requestIds: readonly string[],
): Promise<CostContext['taskCharges']> => {
  if (requestIds.length === 0) return new Map();
  const table = channelCostsTables.taskCharges;
  const selection = { table, column: 'request_id', values: requestIds };
  const charges = await rows.select<TaskChargeRow>(schema, selection);
  return new Map(charges.map((row) => [row.request_id, row]));
};

export const prepareCosts = async (
  events: readonly Recorded[],
  place: Place,
): Promise<CostContext> => {
  const kept = place.memory?.get(memoryKey) as CostContext['ratios'] | undefined;
  const ratios = kept ?? (await readRatios(place));
  place.memory?.set(memoryKey, ratios);
  return { ratios, taskCharges: await readTaskCharges(place, refundedIn(events)) };
};
