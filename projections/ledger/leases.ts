import { CompiledQuery } from 'kysely';
import type { AccountEvent, QuotaLeased, RequestCharged } from '../../domain/account/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { Place } from '../runtime/projector.ts';
import type { Writers } from '../runtime/table.ts';
import { qualified } from '../runtime/table.ts';
import { secondsOf } from '../shared/time.ts';
import type { LeaseRow, ledgerTables } from './table.ts';

type Rows = Writers<typeof ledgerTables>;
type Life = { id: string; amount: number; spent: number };
/** Leases that are open, by their id; kept up to date while a batch goes by. */
export type OpenLeases = Map<string, Life>;

const leaseIdOf = ({ event }: Recorded): string | null =>
  (event.data as { leaseId?: string | null }).leaseId ?? null;

/** The open lives of all leases that a batch names, in one query. */
export const readOpenLeases = async (
  events: readonly Recorded[],
  { db, schema }: Place,
): Promise<OpenLeases> => {
  const ids = new Set<string>();
  for (const recorded of events) {
    const leaseId = leaseIdOf(recorded);
    if (leaseId !== null) ids.add(leaseId);
  }
  if (ids.size === 0) return new Map();
  const { rows } = await db.executeQuery<LeaseRow>(
    CompiledQuery.raw(
      `SELECT id, lease_id, amount, spent FROM ${qualified(schema, 'leases')} ` +
        'WHERE closed_at = 0 AND lease_id = ANY($1::text[])',
      [[...ids]],
    ),
  );
  return new Map(rows.map(({ id, lease_id, amount, spent }) => [lease_id, { id, amount, spent }]));
};

type Move = Readonly<{ leaseId: string; amount: number }>;

const note = (rows: Rows, recorded: Recorded<AccountEvent>, { leaseId, amount }: Move) =>
  rows.leaseMoves.insert({
    user_id: recorded.event.data.userId,
    position: Number(recorded.position),
    at: secondsOf(recorded),
    lease_id: leaseId,
    amount,
  });

export const grantLease = (rows: Rows, recorded: Recorded<QuotaLeased>, open: OpenLeases): void => {
  const { userId, tokenId, leaseId, relayId, amount } = recorded.event.data;
  note(rows, recorded, { leaseId, amount });
  const life = open.get(leaseId);
  if (life !== undefined) {
    life.amount += amount;
    rows.leases.patch(life.id, { amount: life.amount });
    return;
  }
  const position = Number(recorded.position);
  const id = `${leaseId}#${position}`;
  open.set(leaseId, { id, amount, spent: 0 });
  rows.leases.put({
    id,
    lease_id: leaseId,
    user_id: userId,
    token_id: tokenId,
    relay_id: relayId,
    opened_position: position,
    opened_at: secondsOf(recorded),
    closed_at: 0,
    amount,
    spent: 0,
  });
};

export const spendLease = (
  rows: Rows,
  { event: { data } }: Recorded<RequestCharged>,
  open: OpenLeases,
): void => {
  const life = data.leaseId === null ? undefined : open.get(data.leaseId);
  if (life === undefined) return;
  life.spent += data.amount;
  rows.leases.patch(life.id, { spent: life.spent });
};

/** A return leaves a lease open when it holds a grant that the relay had not heard of. */
export const releaseLease = (
  rows: Rows,
  recorded: Recorded<Extract<AccountEvent, { type: 'LeaseReturned' | 'LeaseExpired' }>>,
  open: OpenLeases,
): void => {
  const { type, data } = recorded.event;
  const life = open.get(data.leaseId);
  if (life === undefined) return;
  life.amount -= data.unspent;
  note(rows, recorded, { leaseId: data.leaseId, amount: -data.unspent });
  const isClosed = type === 'LeaseExpired' || life.amount <= life.spent;
  if (isClosed) open.delete(data.leaseId);
  const closed = isClosed ? { closed_at: secondsOf(recorded) } : {};
  rows.leases.patch(life.id, { amount: life.amount, ...closed });
};
