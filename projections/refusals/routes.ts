import type { Kysely } from 'kysely';
import { quarterSeconds } from '../../domain/relay/refusals.ts';
import type { refusalApi } from '../contract/refusal.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { type CallTo, type Handlers, ok } from '../http/routes.ts';
import { listRefusals, type RefusalFilter } from './queries.ts';
import type { RefusalsSchema } from './table.ts';

type Query = CallTo<'GET /api/data/refusals'>['query'];

/** An id that no user has. */
const unknownUserId = -1;

const quarterOf = (seconds: number): number =>
  Math.floor(seconds / quarterSeconds) * quarterSeconds;

export const refusalRoutes = ({ db: anyDb, lookups }: ReadDeps): Handlers<typeof refusalApi> => {
  const db: Kysely<RefusalsSchema> = anyDb.withTables<RefusalsSchema>();

  const userIdOf = async (username: string): Promise<number | null> =>
    username === '' ? null : ((await lookups.userIdNamed(username)) ?? unknownUserId);

  const filterOf = async (query: Query): Promise<RefusalFilter> => {
    const userId = await userIdOf(query.username);
    const { token_name: tokenName } = query;
    return {
      start: quarterOf(query.start_timestamp),
      end: query.end_timestamp > 0 ? query.end_timestamp : Number.MAX_SAFE_INTEGER,
      userId,
      tokenIds:
        tokenName === '' ? null : await lookups.tokenIdsNamed(tokenName, Math.max(0, userId ?? 0)),
      modelName: query.model_name,
      reason: query.reason,
    };
  };

  return {
    'GET /api/data/refusals': async ({ query, language }) => {
      const { p, page_size } = query;
      const paging = { page: p, pageSize: page_size };
      const { rows, total, calls } = await listRefusals(db, await filterOf(query), paging);
      const [usernames, tokenNames] = await Promise.all([
        lookups.usernames(
          rows.map(({ user_id }) => user_id),
          language,
        ),
        lookups.tokenNames(rows.map(({ token_id }) => token_id)),
      ]);
      const items = rows.map((row) => ({
        ...row,
        username: usernames.get(row.user_id) ?? '',
        token_name: tokenNames.get(row.token_id) ?? '',
      }));
      return ok({ items, page: p, page_size, total, calls });
    },
  };
};
