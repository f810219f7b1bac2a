import { CompiledQuery } from 'kysely';
import type { Finish } from '../runtime/projector.ts';
import { qualified } from '../runtime/table.ts';

/** People who left with an event of this batch. Their rows are cleared after those of the batch. */
export type Departures = Set<number>;

export type Clearing = Readonly<{
  table: string;
  /** `col = ''` and the like; absent: the rows go. */
  set?: string;
  /** Selects the rows; `$1` is the list of ids. */
  where: string;
}>;

/** Takes what is left of people out of rows; null when there are none. */
export const clear = (departed: Departures, clearings: readonly Clearing[]): Finish | null => {
  if (departed.size === 0) return null;
  return async ({ rows: { db }, schema }) => {
    for (const { table, set, where } of clearings) {
      const target = qualified(schema, table);
      const verb = set === undefined ? `DELETE FROM ${target}` : `UPDATE ${target} SET ${set}`;
      await db.executeQuery(CompiledQuery.raw(`${verb} WHERE ${where}`, [[...departed]]));
    }
  };
};
