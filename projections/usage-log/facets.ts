import type { UsageLogRow } from './table.ts';

type FacetColumn = 'user_id' | 'token_id' | 'model_name' | 'channel_id' | 'group';

/**
 * What people filter the log by, alone or in the usual pairs. Each has separate hourly sums, so
 * that a total reads one row for each hour and value. Numbers are first in a pair: none of them
 * holds the blank in between.
 */
export const facets = {
  token: ['token_id'],
  model: ['model_name'],
  channel: ['channel_id'],
  group: ['group'],
  'user-token': ['user_id', 'token_id'],
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

/** The request to a facet: one value, or any of several. */
export type Asked = Readonly<Partial<Record<FacetColumn, string | number | readonly number[]>>>;

/** Every combination of what is requested of each column. */
const combined = (asked: readonly (string | number | readonly number[])[]): readonly string[] =>
  asked
    .reduce<readonly (readonly (string | number)[])[]>(
      (rows, one) => [one].flat().flatMap((part) => rows.map((row) => [...row, part])),
      [[]],
    )
    .map((row) => row.join(' '));

/** The facet of just these columns, with the requested values there, or `null`. */
export const facetOf = (
  asked: Asked,
): Readonly<{ facet: string; values: readonly string[] }> | null => {
  const count = Object.keys(asked).length;
  for (const [facet, columns] of entries) {
    if (columns.length !== count || !columns.every((column) => column in asked)) continue;
    return { facet, values: combined(columns.map((column) => asked[column] ?? '')) };
  }
  return null;
};
