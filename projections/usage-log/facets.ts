import type { UsageLogRow } from './table.ts';

type FacetColumn = 'user_id' | 'username' | 'token_name' | 'model_name' | 'channel_id' | 'group';

/**
 * What people filter the log by, alone or in the usual pairs. Each has hourly sums of its own, so
 * that a total reads one row for each hour and value. Numbers stand first in a pair: none of them
 * holds the blank in between.
 */
export const facets = {
  username: ['username'],
  token: ['token_name'],
  model: ['model_name'],
  channel: ['channel_id'],
  group: ['group'],
  'user-token': ['user_id', 'token_name'],
  'user-model': ['user_id', 'model_name'],
  'channel-model': ['channel_id', 'model_name'],
  'channel-group': ['channel_id', 'group'],
} as const satisfies Record<string, readonly FacetColumn[]>;

const entries = Object.entries<readonly FacetColumn[]>(facets);

/** Where an entry counts: every facet, with its value there. */
export const facetValues = (
  row: Pick<UsageLogRow, FacetColumn>,
): readonly Readonly<{ facet: string; value: string }>[] =>
  entries.map(([facet, columns]) => ({
    facet,
    value: columns.map((column) => row[column]).join(' '),
  }));

/** The same in SQL, as rows of `(facet, value)` for a table with the columns of an entry. */
export const facetRowsSql = `VALUES ${entries
  .map(([facet, columns]) => {
    const value = columns.map((column) => `"${column}"::text`).join(` || ' ' || `);
    return `('${facet}', ${value})`;
  })
  .join(', ')}`;

/** The facet of just these columns, with its value there, or `null`. */
export const facetOf = (
  asked: Readonly<Partial<Record<FacetColumn, string | number>>>,
): Readonly<{ facet: string; value: string }> | null => {
  const count = Object.keys(asked).length;
  for (const [facet, columns] of entries) {
    if (columns.length !== count || !columns.every((column) => column in asked)) continue;
    return { facet, value: columns.map((column) => asked[column]).join(' ') };
  }
  return null;
};
