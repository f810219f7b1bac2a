import { sessionMaxAgeSeconds } from '../../domain/access/session.ts';
import type { sessionApi, UserSession } from '../contract/user.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { type Handlers, ok } from '../http/routes.ts';
import { sessionsOf, wrappedKeyOf } from './queries.ts';
import type { UserListSchema } from './table.ts';

const toSeconds = (ms: number): number => Math.floor(ms / 1_000);

/** Where the caller is signed in. */
export const sessionRoutes = ({
  db: anyDb,
  vault,
  sessionUse,
  clock,
}: ReadDeps): Handlers<typeof sessionApi> => {
  const db = anyDb.withTables<UserListSchema>();
  return {
    'GET /api/user/sessions': async ({ caller, session }) => {
      const oldest = clock().getTime() - sessionMaxAgeSeconds * 1_000;
      const rows = await sessionsOf(db, caller.id, oldest);
      const lastUsed = await sessionUse.lastUsedAt(rows.map(({ session_id }) => session_id));
      const wrappedKey = await wrappedKeyOf(db, caller.id);
      const seal = wrappedKey === null ? null : vault.personalSeal(caller.id, wrappedKey);
      return ok(
        rows.map(
          (row): UserSession => ({
            id: row.session_id,
            method: row.method,
            device: seal?.unseal(row.device, 'session-device') ?? '',
            address: seal?.unseal(row.address, 'session-address') ?? '',
            opened_at: toSeconds(row.opened_at),
            last_used_at: toSeconds(lastUsed.get(row.session_id) ?? row.opened_at),
            current: row.session_id === session?.id,
          }),
        ),
      );
    },
  };
};
