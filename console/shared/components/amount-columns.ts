import { columnPlaces, type QuotaDisplay } from '../format/quota.ts';
import type { Column } from './columns.ts';

/** The columns of a table for these rows: amounts below each other have as many places. */
export const withPlaces = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  display: QuotaDisplay,
): readonly Column<Row>[] =>
  columns.map((column) => {
    const { amounts, render, isExact } = column;
    if (!amounts) return column;
    const places = columnPlaces(rows.flatMap(amounts), display, isExact);
    return { ...column, render: (row) => render(row, places) };
  });
