import type { Recorded } from '../../domain/shared/event.ts';
import type { LiveSession } from '../../domain/user/live-sessions.ts';
import type { Place } from '../runtime/row-store.ts';
import {
  createLiveSessions,
  type LiveSessions,
  peopleWithSessions,
} from '../shared/live-sessions.ts';
import { type AccountFeedRow, feedTables } from './table.ts';

/** Reads the open sessions of all accounts whose sessions a batch touches, in one query. */
export const prepareSessions = async (
  events: readonly Recorded[],
  { rows, schema }: Place,
): Promise<LiveSessions> => {
  const ids = peopleWithSessions(events);
  if (ids.length === 0) return createLiveSessions(new Map());
  const selection = { table: feedTables.accounts, column: 'user_id', values: ids };
  const accounts = await rows.select<AccountFeedRow>(schema, selection);
  return createLiveSessions(
    new Map(accounts.map((row) => [row.user_id, JSON.parse(row.sessions) as LiveSession[]])),
  );
};
