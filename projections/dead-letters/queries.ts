import { type Kysely, sql } from 'kysely';
import type { DeadLetterRow, DeadLettersSchema } from './table.ts';

type Db = Kysely<DeadLettersSchema>;
type Page = Readonly<{ page: number; pageSize: number }>;

/** Newest first, without the records themselves. */
export const listDeadLetters = async (
  db: Db,
  { page, pageSize }: Page,
): Promise<{ rows: Omit<DeadLetterRow, 'record'>[]; total: number }> => {
  const from = db.selectFrom('dead_letters.records');
  const rows = await from
    .select(['position', 'event_id', 'at', 'reason', 'kind', 'relay_id'])
    .select(['request_id', 'user_id', 'model_name', 'amount'])
    .orderBy('position', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const { total } = await from.select(sql<string>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
};

export const findDeadLetter = async (db: Db, position: number): Promise<DeadLetterRow | null> =>
  (await db
    .selectFrom('dead_letters.records')
    .selectAll()
    .where('position', '=', position)
    .executeTakeFirst()) ?? null;
