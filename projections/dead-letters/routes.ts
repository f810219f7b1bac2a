import type { DeadLetter, deadLetterApi } from '../contract/dead-letter.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { RefusedError } from '../http/refusals.ts';
import { type Handlers, ok } from '../http/routes.ts';
import { findDeadLetter, listDeadLetters } from './queries.ts';
import type { DeadLettersSchema } from './table.ts';

export const deadLetterRoutes = ({
  db: anyDb,
  lookups,
}: ReadDeps): Handlers<typeof deadLetterApi> => {
  const db = anyDb.withTables<DeadLettersSchema>();
  return {
    'GET /api/dead_letter/': async ({ query, language }) => {
      const { p, page_size } = query;
      const { rows, total } = await listDeadLetters(db, { page: p, pageSize: page_size });
      const people = rows.map(({ user_id }) => user_id);
      const names = await lookups.usernames(people, language);
      const items = rows.map(
        ({ position, ...row }): DeadLetter => ({
          ...row,
          id: position,
          username: names.get(row.user_id) ?? '',
        }),
      );
      return ok({ items, page: p, page_size, total });
    },
    'GET /api/dead_letter/:id': async ({ params }) => {
      const row = await findDeadLetter(db, params.id);
      if (row === null) throw new RefusedError('dead-letter.unknown');
      return ok({ id: row.position, record: JSON.parse(row.record) as unknown });
    },
  };
};
