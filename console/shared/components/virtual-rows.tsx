import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react';

export type Measured = Readonly<{ ref: Ref<HTMLTableRowElement>; 'data-index': number }>;
type Props<Row> = Readonly<{
  rows: readonly Row[];
  columns: number;
  render: (row: Row, measured: Measured) => ReactNode;
}>;

/** Pixels; corrected as soon as a row has been seen. */
const guessedHeight = 56;
const beyondSight = 10;

/** Only the rows near the window are in the page; the room of the others is kept free. */
export const VirtualRows = <Row,>({ rows, columns, render }: Props<Row>) => {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => guessedHeight,
    overscan: beyondSight,
    scrollMargin: top,
  });
  const seen = virtualizer.getVirtualItems();
  const above = (seen[0]?.start ?? top) - top;
  const below = virtualizer.getTotalSize() - ((seen.at(-1)?.end ?? top) - top);
  const room = (height: number) =>
    height > 0 && (
      <tr className="row-room" aria-hidden>
        <td colSpan={columns} style={{ height }} />
      </tr>
    );
  return (
    <tbody ref={body}>
      {room(above)}
      {seen.map(({ index }) => {
        const row = rows[index];
        return row === undefined
          ? null
          : render(row, { ref: virtualizer.measureElement, 'data-index': index });
      })}
      {room(below)}
    </tbody>
  );
};
