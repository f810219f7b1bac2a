import { Button, Checkbox, Classes, Tooltip } from '@blueprintjs/core';
import { CaretDown, CaretUp, ChevronDown, ChevronRight, Help } from '@blueprintjs/icons';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Measured, VirtualRows } from './virtual-rows.tsx';

export type Column<Row> = Readonly<{
  key: string;
  title: string;
  render: (row: Row) => ReactNode;
  isNumber?: boolean;
  /** Explains the column, behind a sign in its head. */
  help?: string;
  /** Lets a user sort the rows that are loaded by this value. */
  sortBy?: (row: Row) => number | string;
  /** Spans the whole card on a narrow screen. */
  isWide?: boolean;
}>;
type Key = string | number;
type Selection = Readonly<{
  keys: ReadonlySet<Key>;
  onChange: (keys: ReadonlySet<Key>) => void;
}>;
export type TableProps<Row> = Readonly<{
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => Key;
  isBusy: boolean;
  empty: ReactNode;
  expand?: (row: Row) => ReactNode;
  isMuted?: (row: Row) => boolean;
  /** Belongs to the row above it. */
  isChild?: (row: Row) => boolean;
  selection?: Selection;
  /** For lists without pages: only rows near the window are in the page. */
  isVirtual?: boolean;
}>;

/** Fewer rows than this cost nothing. */
const virtualFrom = 60;

type Order = Readonly<{ key: string; isDown: boolean }>;

const compare = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));

const sorted = <Row,>(
  rows: readonly Row[],
  order: Order | null,
  columns: readonly Column<Row>[],
): readonly Row[] => {
  const sortBy = columns.find(({ key }) => key === order?.key)?.sortBy;
  if (order === null || sortBy === undefined) return rows;
  const sign = order.isDown ? -1 : 1;
  return [...rows].sort((a, b) => sign * compare(sortBy(a), sortBy(b)));
};

/** Up, down, then as the rows came. */
const nextOrder = (order: Order | null, key: string): Order | null => {
  if (order?.key !== key) return { key, isDown: false };
  return order.isDown ? null : { key, isDown: true };
};

const toggled = (keys: ReadonlySet<Key>, key: Key): ReadonlySet<Key> => {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
};

const SkeletonRows = ({ columns }: Readonly<{ columns: number }>) =>
  ['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
    <tr key={row} className="skeleton-row" aria-hidden>
      {Array.from({ length: columns }, (_, at) => `${row}${at}`).map((cell) => (
        <td key={cell}>
          <span className={Classes.SKELETON}>&nbsp;</span>
        </td>
      ))}
    </tr>
  ));

type HeadProps<Row> = Readonly<{ column: Column<Row>; order: Order | null; onSort: () => void }>;

const ColumnHead = <Row,>({ column, order, onSort }: HeadProps<Row>) => {
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

/** A click on a control inside a row is for that control, and marking text is not a click. */
const isForRow = (target: EventTarget) =>
  target instanceof Element &&
  target.closest('button, a, input, label, select') === null &&
  (window.getSelection()?.isCollapsed ?? true);

/**
 * A table on a wide screen, a stack of cards on a narrow one. Our own for the size of the first
 * load: see console/README.
 */
export const DataTable = <Row,>(props: TableProps<Row>) => {
  const { t } = useTranslation('common');
  const { columns, rows, rowKey, expand, selection } = props;
  const [open, setOpen] = useState<ReadonlySet<Key>>(new Set());
  const [order, setOrder] = useState<Order | null>(null);
  const width = columns.length + Number(Boolean(expand)) + Number(Boolean(selection));
  if (rows?.length === 0) return <div className="table-empty">{props.empty}</div>;
  const isAllSelected = rows?.every((row) => selection?.keys.has(rowKey(row))) ?? false;

  const inOrder = rows && sorted(rows, order, columns);

  const renderRow = (row: Row, measured?: Measured) => {
    const key = rowKey(row);
    const isOpen = open.has(key);
    const toggle = () => setOpen(toggled(open, key));
    const className = [
      expand && 'is-expandable',
      props.isMuted?.(row) && 'is-muted',
      props.isChild?.(row) && 'is-child',
    ]
      .filter(Boolean)
      .join(' ');
    return (
      <Fragment key={key}>
        <tr
          className={className}
          {...measured}
          {...(expand && { onClick: (event) => isForRow(event.target) && toggle() })}
        >
          {expand && (
            <td className="cell-tool">
              <Button
                variant="minimal"
                size="small"
                icon={isOpen ? <ChevronDown /> : <ChevronRight />}
                aria-expanded={isOpen}
                aria-label={isOpen ? t('hide-details') : t('show-details')}
                onClick={toggle}
              />
            </td>
          )}
          {selection && (
            <td className="cell-tool">
              <Checkbox
                checked={selection.keys.has(key)}
                aria-label={t('select-row')}
                onChange={() => selection.onChange(toggled(selection.keys, key))}
              />
            </td>
          )}
          {columns.map((column) => (
            <td
              key={column.key}
              data-label={column.title}
              className={`${column.isNumber ? 'is-number' : ''} ${column.isWide ? 'is-wide' : ''}`}
            >
              {column.render(row)}
            </td>
          ))}
        </tr>
        {expand && isOpen && (
          <tr className="detail-row">
            <td colSpan={width}>{expand(row)}</td>
          </tr>
        )}
      </Fragment>
    );
  };

  return (
    <div className={`table-scroll ${props.isBusy ? 'is-busy' : ''}`} aria-busy={props.isBusy}>
      <table className="data-table" aria-label={props.label}>
        <thead>
          <tr>
            {expand && <th className="cell-tool" aria-label={t('details')} />}
            {selection && (
              <th className="cell-tool">
                <Checkbox
                  checked={isAllSelected}
                  aria-label={t('select-all')}
                  onChange={() =>
                    selection.onChange(new Set(isAllSelected ? [] : (rows ?? []).map(rowKey)))
                  }
                />
              </th>
            )}
            {columns.map((column) => (
              <ColumnHead
                key={column.key}
                column={column}
                order={order?.key === column.key ? order : null}
                onSort={() => setOrder(nextOrder(order, column.key))}
              />
            ))}
          </tr>
        </thead>
        {inOrder && props.isVirtual && inOrder.length >= virtualFrom ? (
          <VirtualRows rows={inOrder} columns={width} render={renderRow} />
        ) : (
          <tbody>
            {inOrder ? inOrder.map((row) => renderRow(row)) : <SkeletonRows columns={width} />}
          </tbody>
        )}
      </table>
    </div>
  );
};
