import type { Kysely } from 'kysely';
import type { AuditTrailRow, AuditTrailSchema } from './table.ts';

type Db = Kysely<AuditTrailSchema>;
/** "" and 0 mean: all. `ownerId`: only what is this user's own affair. */
export type AuditFilter = Readonly<{
  ownerId: number;
  actor: string;
  subjectKind: string;
  subjectId: string;
  type: string;
  /** Unix seconds, inclusive. */
  start: number;
  end: number;
}>;

const matching = (db: Db, filter: AuditFilter) => {
  let query = db.selectFrom('audit_trail.entries');
  if (filter.ownerId !== 0) query = query.where('owner_id', '=', filter.ownerId);
  if (filter.actor !== '') query = query.where('actor_id', '=', filter.actor);
  if (filter.subjectKind !== '') {
    query = query.where('subject_kind', '=', filter.subjectKind as AuditTrailRow['subject_kind']);
  }
  if (filter.subjectId !== '') query = query.where('subject_id', '=', filter.subjectId);
  if (filter.type !== '') query = query.where('type', '=', filter.type);
  if (filter.start > 0) query = query.where('at', '>=', filter.start);
  if (filter.end > 0) query = query.where('at', '<=', filter.end);
  return query;
};

/** Newest first. */
export const listTrail = async (
  db: Db,
  filter: AuditFilter,
  { page, pageSize }: Readonly<{ page: number; pageSize: number }>,
): Promise<{ rows: AuditTrailRow[]; total: number }> => {
  const query = matching(db, filter);
  const rows = await query
    .selectAll()
    .orderBy('position', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const { total } = await query
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total };
};

/** The rows before a place in the log, newest first; null: from the end. */
export const trailBefore = (
  db: Db,
  filter: AuditFilter,
  { before, limit }: Readonly<{ before: number | null; limit: number }>,
): Promise<AuditTrailRow[]> => {
  const query = matching(db, filter).selectAll().orderBy('position', 'desc').limit(limit);
  return (before === null ? query : query.where('position', '<', before)).execute();
};
