import { CompiledQuery } from 'kysely';
import type { Recorded } from '../../domain/shared/event.ts';
import type { LiveSession } from '../../domain/user/live-sessions.ts';
import type { Place } from '../runtime/projector.ts';
import { qualified } from '../runtime/table.ts';
import {
  createLiveSessions,
  type LiveSessions,
  peopleWithSessions,
} from '../shared/live-sessions.ts';
import type { AccountFeedRow } from './table.ts';

/** Reads the open sessions of all accounts whose sessions a batch touches, in one query. */
export const prepareSessions = async (
  events: readonly Recorded[],
  { db, schema }: Place,
): Promise<LiveSessions> => {
  const ids = peopleWithSessions(events);
  if (ids.length === 0) return createLiveSessions(new Map());
  const { rows } = await db.executeQuery<Pick<AccountFeedRow, 'user_id' | 'sessions'>>(
    CompiledQuery.raw(
      `SELECT user_id, sessions FROM ${qualified(schema, 'accounts')} ` +
        'WHERE user_id = ANY($1::int8[])',
      [[...ids]],
    ),
  );
  return createLiveSessions(
    new Map(rows.map((row) => [row.user_id, JSON.parse(row.sessions) as LiveSession[]])),
  );
};
