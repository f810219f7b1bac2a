import type { CardPlace, Column } from './columns.ts';

type Place = Readonly<{ width?: number; card?: CardPlace }>;

/** Widths in pixels and places in the card of a phone, apart from what the columns show. */
export const layOut = <Row>(
  columns: readonly Column<Row>[],
  places: Readonly<Record<string, Place>>,
): readonly Column<Row>[] => columns.map((column) => ({ ...column, ...places[column.key] }));
