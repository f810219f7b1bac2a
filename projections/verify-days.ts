import { CompiledQuery, type Kysely } from 'kysely';
import type { FoldedTable } from '../infra/ports/read-models.ts';

type Mismatch = Readonly<{ key: string; found: number | null; due: number | null }>;

/** Where many counts are wrong, the first thousand say enough. */
const maxMismatches = 1_000;
const text =
  "SELECT concat_ws('/', user_id, day, kind) AS key, found.count AS found, due.count AS due " +
  'FROM (SELECT user_id, at - at % 86400 AS day, kind, count(*) AS count ' +
  'FROM ledger.entries GROUP BY 1, 2, 3) AS due ' +
  'FULL JOIN ledger.days AS found USING (user_id, day, kind) ' +
  `WHERE due.count IS DISTINCT FROM found.count ORDER BY 1 LIMIT ${maxMismatches}`;

/** Counts of movements by day and kind, against the movements, which are held against the log. */
export const movementDays = (db: Kysely<unknown>): FoldedTable => ({
  name: 'ledger.days',
  compare: async (report) => {
    const { rows } = await db.executeQuery<Mismatch>(CompiledQuery.raw(text));
    for (const { key, found, due } of rows) {
      const kind = found === null ? 'row-missing' : 'row-differs';
      const detail = `counts ${found ?? 0} movements, there are ${due ?? 0}`;
      report(due === null ? 'row-unexpected' : kind, key, detail);
    }
    // Their sum is compared, and counted, with the accounts.
    return 0;
  },
});
