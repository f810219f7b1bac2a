import { redemptionCodePlace } from '../../domain/shared/sealed.ts';
import type { RedemptionRow, redemptionApi } from '../contract/redemption.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { RefusedError } from '../http/refusals.ts';
import { type Handlers, ok } from '../http/routes.ts';
import { findRedemption, listRedemptions } from './queries.ts';
import type { RedemptionListRow, RedemptionListSchema } from './table.ts';

export const redemptionRoutes = ({
  db: anyDb,
  vault,
}: ReadDeps): Handlers<typeof redemptionApi> => {
  const db = anyDb.withTables<RedemptionListSchema>();
  const toWire = ({ sealed_key, ...shown }: RedemptionListRow): RedemptionRow => ({
    ...shown,
    key: vault.unseal(sealed_key, redemptionCodePlace(shown.id)),
    count: 0,
    DeletedAt: null,
  });
  const page = async (keyword: string, { p, page_size }: { p: number; page_size: number }) => {
    const { rows, total } = await listRedemptions(db, { keyword, page: p, pageSize: page_size });
    return ok({ items: rows.map(toWire), page: p, page_size, total });
  };
  return {
    'GET /api/redemption/': ({ query }) => page('', query),
    'GET /api/redemption/search': ({ query }) => page(query.keyword, query),
    'GET /api/redemption/:id': async ({ params }) => {
      const row = await findRedemption(db, params.id);
      if (row === null) throw new RefusedError('redemption.unknown');
      return ok(toWire(row));
    },
  };
};
