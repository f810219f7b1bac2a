import type { Recorded } from '../../domain/shared/event.ts';
import type { SessionOpened, UserEvent, UserLoggedIn } from '../../domain/user/events.ts';
import type { LiveSession } from '../../domain/user/live-sessions.ts';
import type { Place } from '../runtime/row-store.ts';
import type { Writers } from '../runtime/table.ts';
import {
  createLiveSessions,
  type LiveSessions,
  peopleWithSessions,
} from '../shared/live-sessions.ts';
import { type UserSessionRow, userListTables } from './table.ts';

type Rows = Writers<typeof userListTables>;

/** Reads the sessions of all people whose sessions a batch touches, in one query. */
export const prepareSessions = async (
  events: readonly Recorded[],
  place: Place,
): Promise<LiveSessions> => {
  const ids = peopleWithSessions(events);
  const held = new Map<number, LiveSession[]>();
  if (ids.length === 0) return createLiveSessions(held);
  const selection = { table: userListTables.sessions, column: 'user_id', values: ids };
  const rows = await place.rows.select<UserSessionRow>(place.schema, selection);
  const oldestFirst = rows.toSorted((one, other) => one.opened_at - other.opened_at);
  for (const { session_id: sessionId, user_id, opened_at } of oldestFirst) {
    const session = { sessionId, openedAt: new Date(opened_at).toISOString() };
    held.set(user_id, [...(held.get(user_id) ?? []), session]);
  }
  return createLiveSessions(held);
};

const rowOf = (
  { userId, method }: UserLoggedIn['data'],
  opened: SessionOpened,
): UserSessionRow => ({
  session_id: opened.sessionId,
  user_id: userId,
  opened_at: Date.parse(opened.openedAt),
  method,
  device: opened.device,
  address: opened.address,
});

/** Keeps the rows of open sessions, whatever opened or ended them. */
export const keepSessions = ({ sessions }: Rows, event: UserEvent, live: LiveSessions): void => {
  for (const sessionId of live.after(event).ended) sessions.remove(sessionId);
  if (event.type === 'UserLoggedIn') sessions.put(rowOf(event.data, event.data.session));
};
