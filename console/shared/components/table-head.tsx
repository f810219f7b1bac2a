import { Tooltip } from '@blueprintjs/core';
import { CaretDown, CaretUp, Help } from '@blueprintjs/icons';
import type { Column } from './columns.ts';

export type Order = Readonly<{ key: string; isDown: boolean }>;

const compare = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));

export const sortRows = <Row,>(
  rows: readonly Row[],
  order: Order | null,
  columns: readonly Column<Row>[],
): readonly Row[] => {
  const sortBy = columns.find(({ key }) => key === order?.key)?.sortBy;
  if (order === null || sortBy === undefined) return rows;
  const sign = order.isDown ? -1 : 1;
  return [...rows].sort((a, b) => sign * compare(sortBy(a), sortBy(b)));
};

/** Up, down, then the original order of the rows. */
export const nextOrder = (order: Order | null, key: string): Order | null => {
  if (order?.key !== key) return { key, isDown: false };
  return order.isDown ? null : { key, isDown: true };
};

type HeadProps<Row> = Readonly<{ column: Column<Row>; order: Order | null; onSort: () => void }>;

export const ColumnHead = <Row,>({ column, order, onSort }: HeadProps<Row>) => {
  const caret = order?.isDown ? <CaretDown /> : <CaretUp />;
  const direction = order?.isDown ? 'descending' : 'ascending';
  return (
    <th
      className={column.isNumber ? 'is-number' : ''}
      scope="col"
      {...(column.sortBy && { 'aria-sort': order ? direction : 'none' })}
    >
      {column.sortBy ? (
        <button type="button" className="sort-head" onClick={onSort}>
          {column.title}
          {order && caret}
        </button>
      ) : (
        column.title
      )}
      {column.help && (
        <Tooltip content={<span className="tip-text">{column.help}</span>} placement="top">
          <button type="button" className="help-sign" aria-label={column.help}>
            <Help size={12} />
          </button>
        </Tooltip>
      )}
    </th>
  );
};
