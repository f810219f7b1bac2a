import type { Language } from '../../domain/access/language.ts';
import { adminRole } from '../../domain/access/roles.ts';
import { optionNumber } from '../../domain/option/read.ts';
import type { LedgerEntry, LedgerPage, ledgerApi } from '../contract/ledger.ts';
import type { repriceApi } from '../contract/reprice.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { RefusedError } from '../http/refusals.ts';
import { type Call, type CallTo, type Handlers, ok } from '../http/routes.ts';
import { fileOf } from '../shared/export.ts';
import { personIds } from '../shared/people.ts';
import { accountAsOf, balancesAt, instantsOf } from './as-of.ts';
import { type LedgerFilter, listMovements, movementsBefore, movementsNamed } from './queries.ts';
import { repriceAll } from './reprice.ts';
import type { LedgerRow, LedgerSchema } from './table.ts';
import { leaseToWire, ledgerColumns, toWire } from './wire.ts';

/** Rows of an export that are read at one time. */
const pageRows = 1_000;

type UserParams = CallTo<'GET /api/ledger/:userId'>['params'];
type Reading = Readonly<{ userId: number; forAdmin: boolean; language: Language }>;

type ListQuery = CallTo<'GET /api/ledger/self'>['query'];
type FileQuery = CallTo<'GET /api/ledger/self/export'>['query'];

const filterOf = (
  { kind, start_timestamp: start, end_timestamp: end, as_of }: Omit<FileQuery, 'format'>,
  userId: number,
): LedgerFilter => {
  const until = as_of === null ? end : Math.min(as_of, end > 0 ? end : as_of);
  return { userId, kind, start, end: until };
};

export const ledgerRoutes = ({
  db: anyDb,
  lookups,
}: ReadDeps): Handlers<typeof ledgerApi & typeof repriceApi> => {
  const db = anyDb.withTables<LedgerSchema>();

  const shown = async (
    rows: readonly LedgerRow[],
    { forAdmin, language }: Reading,
  ): Promise<LedgerEntry[]> => {
    const [people, tokens] = await Promise.all([
      forAdmin ? lookups.usernames(personIds(rows), language) : null,
      lookups.tokenNames([...new Set(rows.map(({ token_id }) => token_id))]),
    ]);
    return rows.map((row) => toWire(row, { people, tokens }));
  };

  const page = async (query: ListQuery, reading: Reading): Promise<LedgerPage> => {
    const { userId, forAdmin } = reading;
    const { p, page_size, as_of } = query;
    const filter = filterOf(query, userId);
    const { rows, total } = await listMovements(db, filter, { page: p, pageSize: page_size });
    const { balance, used, leases } = await accountAsOf(db, userId, as_of);
    return {
      items: await shown(rows, reading),
      page: p,
      page_size,
      total,
      as_of,
      balance,
      used,
      leases: leases.map((lease) => leaseToWire(lease, forAdmin)),
    };
  };

  async function* everything(
    filter: LedgerFilter,
    reading: Reading,
  ): AsyncGenerator<LedgerEntry[]> {
    let before: number | null = null;
    for (;;) {
      const rows: LedgerRow[] = await movementsBefore(db, filter, { before, limit: pageRows });
      yield await shown(rows, reading);
      before = rows.at(-1)?.position ?? null;
      if (rows.length < pageRows) return;
    }
  }

  const file = (query: FileQuery, reading: Reading) => {
    const name = `ledger_${reading.userId}`;
    return fileOf(everything(filterOf(query, reading.userId), reading), {
      name,
      format: query.format,
      columns: ledgerColumns(reading.language),
    });
  };

  const own = ({ caller, language }: Call): Reading => ({
    userId: caller.id,
    forAdmin: caller.role >= adminRole,
    language,
  });
  const ofUser = async (call: Call, { userId }: UserParams): Promise<Reading> => {
    const { caller, language } = call;
    const forAdmin = caller.role >= adminRole;
    if (!forAdmin && userId !== caller.id) throw new RefusedError('auth.not-allowed');
    if ((await lookups.userById(userId)) === null) throw new RefusedError('user.unknown');
    return { userId, forAdmin, language };
  };

  return {
    'POST /api/audit/reprice': async ({ body }) => {
      const named = [...body.event_ids, ...body.request_ids];
      const rows = await movementsNamed(db, body.user_id, named);
      const charges = rows.filter(({ kind }) => kind === 'RequestCharged');
      const quotaPerUnit = optionNumber(await lookups.options(), 'QuotaPerUnit');
      return ok(repriceAll(charges, body, quotaPerUnit));
    },
    'GET /api/ledger/self': async (call) => ok(await page(call.query, own(call))),
    'GET /api/ledger/self/export': async (call) => file(call.query, own(call)),
    'GET /api/ledger/self/balances': async ({ query, caller }) => {
      const { start_timestamp: start, end_timestamp: end } = query;
      return ok(await balancesAt(db, caller.id, instantsOf(start, end)));
    },
    'GET /api/ledger/:userId': async (call) =>
      ok(await page(call.query, await ofUser(call, call.params))),
    'GET /api/ledger/:userId/export': async (call) =>
      file(call.query, await ofUser(call, call.params)),
  };
};
