import type { AccountEvent, QuotaLeased, RequestCharged } from '../../domain/account/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { Place } from '../runtime/row-store.ts';
import type { Writers } from '../runtime/table.ts';
import { secondsOf } from '../shared/time.ts';
import { type LeaseRow, ledgerTables } from './table.ts';

type Rows = Writers<typeof ledgerTables>;
type OpenLease = { id: string; amount: number; spent: number };
/** Leases that are open, by their id; kept up to date while a batch goes by. */
export type OpenLeases = Map<string, OpenLease>;

const leaseIdOf = ({ event }: Recorded): string | null =>
  (event.data as { leaseId?: string | null }).leaseId ?? null;

const memoryKey = 'open-leases';
/** Beyond it they are read again. */
const maxKept = 20_000;

const keptLeases = ({ memory }: Place): OpenLeases => {
  const kept = memory?.get(memoryKey) as OpenLeases | undefined;
  if (kept !== undefined && kept.size < maxKept) return kept;
  const empty: OpenLeases = new Map();
  memory?.set(memoryKey, empty);
  return empty;
};

/** The open leases that a batch names; those that are not in memory are read by one query. */
export const readOpenLeases = async (
  events: readonly Recorded[],
  place: Place,
): Promise<OpenLeases> => {
  const open = keptLeases(place);
  const ids = new Set<string>();
  for (const recorded of events) {
    const leaseId = leaseIdOf(recorded);
    if (leaseId !== null && !open.has(leaseId)) ids.add(leaseId);
  }
  if (ids.size === 0) return open;
  const and = { closed_at: 0 };
  const selection = { table: ledgerTables.leases, column: 'lease_id', values: [...ids], and };
  const leases = await place.rows.select<LeaseRow>(place.schema, selection);
  for (const { id, lease_id, amount, spent } of leases) open.set(lease_id, { id, amount, spent });
  return open;
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
  const lease = open.get(leaseId);
  if (lease !== undefined) {
    lease.amount += amount;
    rows.leases.patch(lease.id, { amount: lease.amount });
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
  const lease = data.leaseId === null ? undefined : open.get(data.leaseId);
  if (lease === undefined) return;
  lease.spent += data.amount;
  rows.leases.patch(lease.id, { spent: lease.spent });
};

export const releaseLease = (
  rows: Rows,
  recorded: Recorded<Extract<AccountEvent, { type: 'LeaseReturned' | 'LeaseExpired' }>>,
  open: OpenLeases,
): void => {
  const { event } = recorded;
  const { data } = event;
  const lease = open.get(data.leaseId);
  if (lease === undefined) return;
  lease.amount -= data.unspent;
  note(rows, recorded, { leaseId: data.leaseId, amount: -data.unspent });
  const isClosed = event.type === 'LeaseExpired' || event.data.closes;
  if (isClosed) open.delete(data.leaseId);
  const closed = isClosed ? { closed_at: secondsOf(recorded) } : {};
  rows.leases.patch(lease.id, { amount: lease.amount, ...closed });
};
