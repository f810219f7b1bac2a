import type { Language } from '../../domain/access/language.ts';
import { rootRole } from '../../domain/access/roles.ts';
import { optionNumber } from '../../domain/option/read.ts';
import { groupExists, usableGroupsOf } from '../../domain/pricing/groups.ts';
import { groupRatioOf } from '../../domain/pricing/quote.ts';
import { deletedUserName } from '../../domain/user/deleted-name.ts';
import type { SelfRow, UserGroups, UserPage, UserRow, userApi } from '../contract/user.ts';
import { currentPrices } from '../http/prices.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { RefusedError } from '../http/refusals.ts';
import { type Call, type Handlers, ok } from '../http/routes.ts';
import { findUser, listUsers } from './queries.ts';
import type { UserListRow, UserListSchema } from './table.ts';

const toWire = (row: UserListRow, language: Language): UserRow => {
  const {
    deleted_at,
    session_epoch,
    access_token_hash,
    second_factors,
    has_second_factor,
    ...shown
  } = row;
  return {
    ...shown,
    ...(deleted_at === null ? {} : { username: deletedUserName(row.id, language) }),
    password: '',
    verification_code: '',
    access_token: null,
    DeletedAt: deleted_at,
    second_factor: has_second_factor,
  };
};

export const userRoutes = ({ db: anyDb, lookups }: ReadDeps): Handlers<typeof userApi> => {
  const db = anyDb.withTables<UserListSchema>();
  const self = async ({ caller }: Call): Promise<UserListRow> => {
    const row = await findUser(db, caller.id);
    if (row === null) throw new RefusedError('user.unknown');
    return row;
  };
  const page = async (
    search: { keyword: string; group: string },
    { p, page_size }: { p: number; page_size: number },
    language: Language,
  ): Promise<UserPage> => {
    const { rows, total } = await listUsers(db, search, { page: p, pageSize: page_size });
    return { items: rows.map((row) => toWire(row, language)), page: p, page_size, total };
  };
  return {
    'GET /api/user/self': async (call) => {
      const own: SelfRow = {
        ...toWire(await self(call), call.language),
        quota_remind_threshold: optionNumber(await lookups.options(), 'QuotaRemindThreshold'),
      };
      return ok(own);
    },
    'GET /api/user/aff': async (call) => ok((await self(call)).aff_code),
    'GET /api/user/self/groups': async ({ caller }) => {
      const prices = await currentPrices(lookups);
      const usable = [...usableGroupsOf(prices, caller.group)];
      const groups: UserGroups = Object.fromEntries(
        usable
          .filter(([name]) => groupExists(prices, name))
          .map(([name, desc]) => [name, { ratio: Number(groupRatioOf(prices, name)), desc }]),
      );
      return ok(groups);
    },
    'GET /api/group/': async () => {
      const { groupRatio } = await currentPrices(lookups);
      const others = [...groupRatio.keys()].filter((name) => name !== 'default').sort();
      return ok(groupRatio.has('default') ? ['default', ...others] : others);
    },
    'GET /api/user/': async ({ query, language }) =>
      ok(await page({ keyword: '', group: '' }, query, language)),
    'GET /api/user/search': async ({ query, language }) => {
      return ok(await page(query, query, language));
    },
    'GET /api/user/:id': async ({ params, caller, language }) => {
      const row = await findUser(db, params.id);
      if (row === null || row.deleted_at !== null) throw new RefusedError('user.unknown');
      if (caller.role !== rootRole && caller.role <= row.role) {
        throw new RefusedError('auth.not-allowed');
      }
      return ok(toWire(row, language));
    },
  };
};
