import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { LedgerEntry, LedgerPage } from '../contract/ledger.ts';
import { ledgerQuery, userIdParams } from '../contract/query.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { RefusedError } from '../http/refusals.ts';
import { ok, type Routes } from '../http/routes.ts';
import { priceSteps } from '../shared/price-steps.ts';
import { accountOf, listMovements } from './queries.ts';
import type { LedgerRow, LedgerSchema } from './table.ts';

const adminRole = 10;

const priceOf = ({ price, delta }: LedgerRow): LedgerEntry['price'] => {
  if (price === null) return null;
  const { usage, quote } = JSON.parse(price) as { usage: Usage; quote: Quote };
  return { quote, usage, amount: delta === 0 ? 0 : -delta, steps: priceSteps(usage, quote) };
};

/** Ordinary users see that an admin acted, never which one. */
const actorOf = (
  { actor_kind, actor_id }: LedgerRow,
  names: ReadonlyMap<number, string> | null,
): LedgerEntry['actor'] => {
  if (names === null && actor_kind === 'admin') return { kind: 'admin', id: '', name: '' };
  const isPerson = actor_kind === 'user' || actor_kind === 'admin';
  const name = isPerson ? (names?.get(Number(actor_id)) ?? '') : '';
  return { kind: actor_kind, id: actor_id, name };
};

/** `names` null: the reader is an ordinary user. */
export const toWire = (row: LedgerRow, names: ReadonlyMap<number, string> | null): LedgerEntry => ({
  id: String(row.position),
  at: row.at,
  kind: row.kind,
  delta: row.delta,
  balance_after: row.balance_after,
  request_id: row.request_id,
  token_id: row.token_id,
  token_name: row.token_name,
  model_name: row.model_name,
  channel: names === null ? 0 : row.channel_id,
  reason: row.reason,
  reference: row.reference,
  actor: actorOf(row, names),
  price: priceOf(row),
});

const personIds = (rows: readonly LedgerRow[]): number[] => [
  ...new Set(
    rows
      .filter(({ actor_kind }) => actor_kind === 'user' || actor_kind === 'admin')
      .map(({ actor_id }) => Number(actor_id))
      .filter((id) => Number.isSafeInteger(id)),
  ),
];

export const ledgerRoutes = ({ db: anyDb, lookups }: ReadDeps): Routes => {
  const db = anyDb.withTables<LedgerSchema>();
  const page = async (query: unknown, userId: number, forAdmin: boolean): Promise<LedgerPage> => {
    const { p, page_size, kind, start_timestamp, end_timestamp } = ledgerQuery.parse(query);
    const filter = { userId, kind, start: start_timestamp, end: end_timestamp };
    const { rows, total } = await listMovements(db, filter, { page: p, pageSize: page_size });
    const names = forAdmin ? await lookups.usernames(personIds(rows)) : null;
    const { balance, used } = await accountOf(db, userId);
    const items = rows.map((row) => toWire(row, names));
    return { items, page: p, page_size, total, balance, used };
  };
  return {
    'GET /api/ledger/self': async ({ query, caller }) =>
      ok(await page(query, caller.id, caller.role >= adminRole)),
    'GET /api/ledger/:userId': async ({ query, params, caller }) => {
      const { userId } = userIdParams.parse(params);
      const isAdmin = caller.role >= adminRole;
      if (!isAdmin && userId !== caller.id) throw new RefusedError('auth.not-allowed');
      if ((await lookups.userById(userId)) === null) throw new RefusedError('user.unknown');
      return ok(await page(query, userId, isAdmin));
    },
  };
};
