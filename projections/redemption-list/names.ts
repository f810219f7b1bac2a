import { CompiledQuery } from 'kysely';
import type { RedemptionDeleted } from '../../domain/redemption/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { Place } from '../runtime/projector.ts';
import { qualified } from '../runtime/table.ts';

/** Names of the codes that a batch deletes, so that the sums by name stay right. */
export type CodeNames = Map<number, string>;

export const prepareNames = async (
  events: readonly Recorded[],
  { db, schema }: Place,
): Promise<CodeNames> => {
  const ids = new Set<number>();
  for (const { event } of events) {
    if (event.type === 'RedemptionDeleted') {
      ids.add((event as RedemptionDeleted).data.redemptionId);
    }
  }
  if (ids.size === 0) return new Map();
  const { rows } = await db.executeQuery<{ id: number; name: string }>(
    CompiledQuery.raw(
      `SELECT id, name FROM ${qualified(schema, 'codes')} WHERE id = ANY($1::int8[])`,
      [[...ids]],
    ),
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
};
