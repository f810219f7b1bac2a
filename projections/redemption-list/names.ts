import type { RedemptionDeleted } from '../../domain/redemption/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { Place } from '../runtime/row-store.ts';
import { type RedemptionListRow, redemptionListTables } from './table.ts';

/** Names of the codes that a batch deletes, so that the sums by name stay right. */
export type CodeNames = Map<number, string>;

export const prepareNames = async (
  events: readonly Recorded[],
  { rows, schema }: Place,
): Promise<CodeNames> => {
  const ids = new Set<number>();
  for (const { event } of events) {
    if (event.type === 'RedemptionDeleted') {
      ids.add((event as RedemptionDeleted).data.redemptionId);
    }
  }
  if (ids.size === 0) return new Map();
  const selection = { table: redemptionListTables.codes, column: 'id', values: [...ids] };
  const codes = await rows.select<RedemptionListRow>(schema, selection);
  return new Map(codes.map(({ id, name }) => [id, name]));
};
