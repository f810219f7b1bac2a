import { type Kysely, sql } from 'kysely';
import type { OptionListRow, OptionListSchema } from './table.ts';

type Db = Kysely<OptionListSchema>;

/** Stored options and which secrets are set, read again only after a change. */
export type StoredState = Readonly<{
  /** Plain values that the operator set. */
  values: ReadonlyMap<string, string>;
  secretsSet: ReadonlySet<string>;
}>;

const stateOf = (rows: readonly OptionListRow[]): StoredState => ({
  values: new Map(
    rows.flatMap(({ key, value }) => (value === null ? [] : [[key, value] as const])),
  ),
  secretsSet: new Set(rows.filter((row) => row.is_secret_set).map(({ key }) => key)),
});

/** Positions only rise, so the newest one shows whether anything changed; a rebuild passes 0. */
export const createOptionState = (db: Db): (() => Promise<StoredState>) => {
  let mark = '';
  let state: StoredState = { values: new Map(), secretsSet: new Set() };
  return async () => {
    const { newest, count } = await db
      .selectFrom('option_list.options')
      .select([
        sql<string>`coalesce(max(position), 0)::text`.as('newest'),
        sql<string>`count(*)::text`.as('count'),
      ])
      .executeTakeFirstOrThrow();
    if (`${newest}/${count}` !== mark) {
      state = stateOf(await db.selectFrom('option_list.options').selectAll().execute());
      mark = `${newest}/${count}`;
    }
    return state;
  };
};

export const isSiteSetUp = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('option_list.site').select('id').executeTakeFirst()) !== undefined;
