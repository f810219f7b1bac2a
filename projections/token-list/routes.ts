import { type TokenStatus, tokenStatus } from '../../domain/access/token-status.ts';
import { tokenKeyPlace } from '../../domain/shared/sealed.ts';
import type { TokenRow, tokenApi } from '../contract/token.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { RefusedError } from '../http/refusals.ts';
import { type Handlers, ok } from '../http/routes.ts';
import { findToken, listTokens, tokensNamed } from './queries.ts';
import type { TokenListRow, TokenListSchema } from './table.ts';

const statusOf = (row: TokenListRow, nowSeconds: number): TokenStatus =>
  tokenStatus(
    {
      isEnabled: row.status === 1,
      expiredTime: row.expired_time,
      unlimitedQuota: row.unlimited_quota,
      remainQuota: row.remain_quota,
    },
    nowSeconds,
  );

export const tokenRoutes = ({ db: anyDb, vault, clock }: ReadDeps): Handlers<typeof tokenApi> => {
  const db = anyDb.withTables<TokenListSchema>();
  const toWire = (row: TokenListRow): TokenRow => {
    const { sealed_key, ...shown } = row;
    const status = statusOf(row, Math.floor(clock().getTime() / 1000));
    return {
      ...shown,
      status,
      key: vault.unseal(sealed_key, tokenKeyPlace(row.id)),
      DeletedAt: null,
    };
  };
  return {
    'GET /api/token/': async ({ query, caller }) => {
      const { p, size } = query;
      return ok((await listTokens(db, caller.id, { page: p, size })).map(toWire));
    },
    'GET /api/token/search': async ({ query, caller }) => {
      const { keyword, token } = query;
      const part = token.replace(/^sk-/, '');
      const rows = (await tokensNamed(db, caller.id, keyword)).map(toWire);
      return ok(rows.filter(({ key }) => key.includes(part)));
    },
    'GET /api/token/:id': async ({ params, caller }) => {
      const row = await findToken(db, caller.id, params.id);
      if (row === null) throw new RefusedError('token.unknown');
      return ok(toWire(row));
    },
  };
};
