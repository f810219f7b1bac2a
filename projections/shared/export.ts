/** A value of a cell: numbers stay as they are, texts are kept from being taken for formulas. */
type Cell = string | number;
type Columns<R> = Readonly<Record<string, (row: R) => Cell>>;

/** So that spreadsheets read the file as UTF-8. */
const byteOrderMark = '\uFEFF';

const cellText = (cell: Cell): string => {
  if (typeof cell === 'number') return String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
const line = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** Pages of rows, however many; only one page is in memory at a time. */
export type Pages<R> = AsyncIterable<readonly R[]>;

async function* csvOf<R>(pages: Pages<R>, columns: Columns<R>): AsyncGenerator<string> {
  yield byteOrderMark + line(Object.keys(columns));
  const cellsOf = Object.values(columns);
  for await (const rows of pages) {
    yield rows.map((row) => line(cellsOf.map((cellOf) => cellOf(row)))).join('');
  }
}

async function* jsonOf<R>(pages: Pages<R>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const rows of pages) {
    for (const row of rows) {
      yield separator + JSON.stringify(row);
      separator = ',\n';
    }
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** A file of all rows in the requested format. */
export const fileOf = <R>(
  pages: Pages<R>,
  {
    name,
    format,
    columns,
  }: Readonly<{ name: string; format: 'csv' | 'json'; columns: Columns<R> }>,
) => ({
  download: {
    name: `${name}.${format}`,
    type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
    chunks: format === 'csv' ? csvOf(pages, columns) : jsonOf(pages),
  },
});

/** Unix seconds as a time that people and spreadsheets read. */
export const timeText = (seconds: number): string => new Date(seconds * 1_000).toISOString();
