import { type Kysely, sql } from 'kysely';
import type { UsageLogRow, UsageLogSchema } from './table.ts';

const idForm = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})[A-Za-z0-9]{0,50}$/;

/** Unix seconds at which a call began, which its request id begins with; null: no such id. */
const beganAt = (requestId: string): number | null => {
  const parts = idForm.exec(requestId)?.slice(1).map(Number);
  if (parts === undefined) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1_000;
};

/** Clocks of relays may differ by this. */
const clockSkewSeconds = 300;
/** An entry is written when its call has ended. */
const maxCallSeconds = 86_400;
/** A prefix that more calls share identifies too little. */
const maxFound = 5;

/**
 * Calls by their request id or a prefix, the second at the shortest; `userId` 0: of all users. The
 * id contains the time, so that no index has to hold ids.
 */
export const findCalls = async (
  db: Kysely<UsageLogSchema>,
  { requestId, userId }: Readonly<{ requestId: string; userId: number }>,
): Promise<UsageLogRow[]> => {
  const began = beganAt(requestId);
  if (began === null) return [];
  const ofUser = userId === 0 ? sql`TRUE` : sql`user_id = ${userId}`;
  const { rows } = await sql<UsageLogRow>`
    SELECT * FROM usage_log.entries
    WHERE created_at BETWEEN ${began - clockSkewSeconds} AND ${began + maxCallSeconds}
      AND ${ofUser} AND starts_with(request_id, ${requestId})
    ORDER BY created_at, id LIMIT ${maxFound}`.execute(db);
  return rows;
};
