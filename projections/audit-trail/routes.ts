import type { Language } from '../../domain/access/language.ts';
import type { AuditPage, AuditRow, auditApi } from '../contract/audit.ts';
import type { Lookups } from '../http/lookups.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { type CallTo, type Handlers, ok } from '../http/routes.ts';
import { fileOf, timeText } from '../shared/export.ts';
import { personIds } from '../shared/people.ts';
import { openingOf } from './people.ts';
import { type AuditFilter, listTrail, trailBefore } from './queries.ts';
import type { AuditTrailRow, AuditTrailSchema } from './table.ts';
import { isAboutPerson, type Showing, toWire } from './wire-rows.ts';

/** Rows of an export that are read at one time. */
const pageRows = 1_000;

const columns = {
  time: ({ at }: AuditRow) => timeText(at),
  type: ({ type }: AuditRow) => type,
  actor_kind: ({ actor }: AuditRow) => actor.kind,
  actor_id: ({ actor }: AuditRow) => actor.id,
  actor_name: ({ actor }: AuditRow) => actor.name,
  ip: ({ ip }: AuditRow) => ip,
  subject_kind: ({ subject }: AuditRow) => subject.kind,
  subject_id: ({ subject }: AuditRow) => subject.id,
  subject_name: ({ subject }: AuditRow) => subject.name,
  changes: ({ changes }: AuditRow) => (changes.length === 0 ? '' : JSON.stringify(changes)),
  reason: ({ reason }: AuditRow) => reason,
  secrets: ({ secrets }: AuditRow) => secrets.join(' '),
  request_id: ({ request_id }: AuditRow) => request_id,
  event_id: ({ event_id }: AuditRow) => event_id,
};

type ListCall = CallTo<'GET /api/audit'>;
type Filters = Omit<ListCall['query'], 'p' | 'page_size'>;

const filterOf = (query: Filters, ownerId: number): AuditFilter => ({
  ownerId,
  actor: ownerId === 0 ? query.actor : '',
  subjectKind: query.subject_kind,
  subjectId: query.subject_id,
  type: query.type,
  start: query.start_timestamp,
  end: query.end_timestamp,
});

const createShowing =
  (lookups: Lookups) =>
  async (
    rows: readonly AuditTrailRow[],
    { language, forAdmin }: Readonly<{ language: Language; forAdmin: boolean }>,
  ): Promise<Showing> => {
    const about = rows.filter(isAboutPerson).map(({ subject_id }) => Number(subject_id));
    const [opening, subjects, actors] = await Promise.all([
      openingOf(lookups, rows),
      lookups.usernames([...new Set(about)], language),
      forAdmin ? lookups.usernames(personIds(rows), language) : null,
    ]);
    return { ...opening, subjects, actors };
  };

export const auditTrailRoutes = ({ db: anyDb, lookups }: ReadDeps): Handlers<typeof auditApi> => {
  const db = anyDb.withTables<AuditTrailSchema>();
  const showingOf = createShowing(lookups);

  const list = async ({ query, language }: ListCall, ownerId: number): Promise<AuditPage> => {
    const { p, page_size } = query;
    const paging = { page: p, pageSize: page_size };
    const { rows, total } = await listTrail(db, filterOf(query, ownerId), paging);
    const showing = await showingOf(rows, { language, forAdmin: ownerId === 0 });
    return { items: rows.map((row) => toWire(row, showing)), page: p, page_size, total };
  };

  async function* everything(filter: AuditFilter, language: Language): AsyncGenerator<AuditRow[]> {
    let before: number | null = null;
    for (;;) {
      const rows: AuditTrailRow[] = await trailBefore(db, filter, { before, limit: pageRows });
      const showing = await showingOf(rows, { language, forAdmin: true });
      yield rows.map((row) => toWire(row, showing));
      before = rows.at(-1)?.position ?? null;
      if (rows.length < pageRows) return;
    }
  }

  return {
    'GET /api/audit': async (call) => ok(await list(call, 0)),
    'GET /api/audit/self': async (call) => ok(await list(call, call.caller.id)),
    'GET /api/audit/export': async ({ query, language }) => {
      const rows = everything(filterOf(query, 0), language);
      return fileOf(rows, { name: 'audit', format: query.format, columns });
    },
  };
};
