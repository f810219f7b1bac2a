import type { ReactNode } from 'react';

export type Column<Row> = Readonly<{
  key: string;
  title: string;
  /** `places`: of the amounts in this column, which all have as many. */
  render: (row: Row, places: number) => ReactNode;
  /** Quota units that the column shows; columns that name the same ones have as many places. */
  amounts?: (row: Row) => readonly number[];
  /** No amount of the column is rounded. */
  isExact?: boolean;
  isNumber?: boolean;
  /** Pixels. Columns without a width share what the others leave. */
  width?: number;
  /** Explains the column, behind a sign in its head. */
  help?: string;
  /** Lets a user sort the rows that are loaded by this value. */
  sortBy?: (row: Row) => number | string;
  /** Spans the whole card on a narrow screen, and stays in reach on a wide one. */
  isWide?: boolean;
  /**
   * Its place in the card of a narrow screen. Where one column of a list has a place, those without
   * one are left to the drawer; where none has, each value is next to its name.
   */
  card?: CardPlace;
}>;
export type CardPlace = 'title' | 'figure' | 'line' | 'aside';
export type Key = string | number;
export type Selection = Readonly<{
  keys: ReadonlySet<Key>;
  onChange: (keys: ReadonlySet<Key>) => void;
}>;
/** One text in place of the cells that are empty for this row. */
export type RowSentence<Row> = Readonly<{
  /** Keys of the columns that keep their own cell. */
  keeps: readonly string[];
  /** Null where the row has its cells. */
  render: (row: Row) => ReactNode | null;
}>;
export type TableProps<Row> = Readonly<{
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => Key;
  isBusy: boolean;
  empty: ReactNode;
  /** What the drawer of a row shows; its title is `label` where `detailTitle` names none. */
  detail?: (row: Row) => ReactNode;
  detailTitle?: (row: Row) => string;
  sentence?: RowSentence<Row>;
  /** Heading above the first row of each group; rows of one group follow each other. */
  groupOf?: (row: Row) => string;
  isMuted?: (row: Row) => boolean;
  /** Belongs to the row above it. */
  isChild?: (row: Row) => boolean;
  selection?: Selection;
  /** For lists without pages: only rows near the window are in the page. */
  isVirtual?: boolean;
  /** Rows to keep space for until the first ones arrive. */
  expectedRows?: number;
}>;

export const toggled = (keys: ReadonlySet<Key>, key: Key): ReadonlySet<Key> => {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
};
