import { adminRole } from '../../domain/access/roles.ts';
import { optionIsOn } from '../../domain/option/read.ts';
import type { secondFactorApi } from '../contract/user.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { RefusedError } from '../http/refusals.ts';
import { type Handlers, ok } from '../http/routes.ts';
import { findUser, wrappedKeyOf } from './queries.ts';
import { listedFactors } from './second-factors.ts';
import type { UserListSchema } from './table.ts';

const toSeconds = (ms: number): number => Math.floor(ms / 1_000);
const timesOf = ({ addedAt, usedAt }: Readonly<{ addedAt: number; usedAt: number | null }>) => ({
  added_at: toSeconds(addedAt),
  used_at: usedAt === null ? 0 : toSeconds(usedAt),
});

/** The caller's factors in addition to a password. */
export const secondFactorRoutes = ({
  db: anyDb,
  vault,
  lookups,
}: ReadDeps): Handlers<typeof secondFactorApi> => {
  const db = anyDb.withTables<UserListSchema>();
  return {
    'GET /api/user/second_factors': async ({ caller }) => {
      const row = await findUser(db, caller.id);
      if (row === null) throw new RefusedError('user.unknown');
      const { totp, passkeys, recoveryCodes } = listedFactors(row);
      const wrappedKey = await wrappedKeyOf(db, caller.id);
      const seal = wrappedKey === null ? null : vault.personalSeal(caller.id, wrappedKey);
      const isDemanded = optionIsOn(await lookups.options(), 'SecondFactorRequiredOfAdmins');
      return ok({
        totp: totp && timesOf(totp),
        passkeys: passkeys.map(({ id, name, ...times }) => ({
          id,
          name: seal?.unseal(name, 'passkey-name') ?? '',
          ...timesOf(times),
        })),
        recovery_codes_left: recoveryCodes,
        required: isDemanded && caller.role >= adminRole,
      });
    },
  };
};
