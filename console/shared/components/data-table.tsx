import { Checkbox, Classes } from '@blueprintjs/core';
import { type CSSProperties, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWidth } from '../hooks/use-width.ts';
import { useQuotaDisplay } from '../status.ts';
import { withPlaces } from './amount-columns.ts';
import type { Column, Key, Selection, TableProps } from './columns.ts';
import { RowDrawer } from './row-drawer.tsx';
import { ColumnHead, nextOrder, type Order, sortRows } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { type Measured, VirtualRows } from './virtual-rows.tsx';

export type { Column };

/** Fewer rows than this cost nothing. */
const virtualFrom = 60;
const defaultExpected = 6;
const toolWidth = 36;
const defaultMinWidth = 120;

type SkeletonProps = Readonly<{ columns: number; rows: number }>;

const SkeletonRows = ({ columns, rows }: SkeletonProps) =>
  Array.from({ length: rows }, (_, at) => `row-${at}`).map((row) => (
    <tr key={row} className="skeleton-row" aria-hidden>
      {Array.from({ length: columns }, (_, at) => `${row}-${at}`).map((cell) => (
        <td key={cell}>
          <span className={Classes.SKELETON}>&nbsp;</span>
        </td>
      ))}
    </tr>
  ));

/** Rows that are read aloud after each other show where a new group begins. */
const groupHeads = <Row,>({ groupOf, rowKey }: TableProps<Row>, rows: readonly Row[]) => {
  const heads = new Map<Key, string>();
  if (!groupOf) return heads;
  let current: string | null = null;
  for (const row of rows) {
    const group = groupOf(row);
    if (group !== current) heads.set(rowKey(row), group);
    current = group;
  }
  return heads;
};

const classOf = <Row,>({ columns, isBusy }: TableProps<Row>, isTight: boolean): string =>
  [
    'table-scroll',
    isBusy && 'is-busy',
    columns.some(({ width }) => width !== undefined) && 'is-fixed',
    isTight && 'is-tight',
    columns.some(({ card }) => card !== undefined) && 'has-cards',
  ]
    .filter(Boolean)
    .join(' ');

/** Narrower than this the table scrolls in its card. */
const minWidthOf = <Row,>(columns: readonly Column<Row>[], tools: number): number =>
  columns.reduce((sum, { width }) => sum + (width ?? defaultMinWidth), tools * toolWidth);

/** The columns need more than there is: the table scrolls, and its last column stays in sight. */
const isTight = <Row,>({ columns }: TableProps<Row>, tools: number, width: number | null) =>
  width !== null && width > 0 && minWidthOf(columns, tools) > width;

type Widths<Row> = Readonly<{ columns: readonly Column<Row>[]; hasTools: readonly boolean[] }>;

const ColumnWidths = <Row,>({ columns, hasTools }: Widths<Row>) => (
  <colgroup>
    {hasTools[0] && <col style={{ width: toolWidth }} />}
    {hasTools[1] && <col style={{ width: toolWidth }} />}
    {columns.map(({ key, width }) => (
      <col key={key} {...(width !== undefined && { style: { width } })} />
    ))}
  </colgroup>
);

type SelectAllProps = Readonly<{ selection: Selection; keys: readonly Key[] }>;

const SelectAll = ({ selection, keys }: SelectAllProps) => {
  const { t } = useTranslation('common');
  const isAll = keys.length > 0 && keys.every((key) => selection.keys.has(key));
  return (
    <th className="cell-tool">
      <Checkbox
        checked={isAll}
        indeterminate={!isAll && selection.keys.size > 0}
        aria-label={t('select-all')}
        onChange={() => selection.onChange(new Set(isAll ? [] : keys))}
      />
    </th>
  );
};

/** Which row has its drawer open, and which one the Tab key reaches. */
const useRowKeys = (keys: readonly Key[]) => {
  const [open, setOpen] = useState<Key | null>(null);
  const [active, setActive] = useState<Key | null>(null);
  const at = open === null ? -1 : keys.indexOf(open);
  const tabStop = active !== null && keys.includes(active) ? active : keys[0];
  const openAt = (index: number) => {
    const key = keys[index];
    if (key === undefined) return null;
    return () => {
      setOpen(key);
      setActive(key);
    };
  };
  return {
    at,
    tabStop,
    isOpen: (key: Key) => key === open,
    setOpen,
    setActive,
    previous: at < 0 ? null : openAt(at - 1),
    next: at < 0 ? null : openAt(at + 1),
  };
};

type DrawerProps<Row> = Readonly<{
  table: TableProps<Row>;
  row: Row | undefined;
  focus: ReturnType<typeof useRowKeys>;
}>;

const TableDrawer = <Row,>({ table, row, focus }: DrawerProps<Row>) => {
  const mark = useRef<HTMLSpanElement>(null);
  const { detail, detailTitle, label } = table;
  if (!detail) return null;
  const giveFocusBack = () =>
    mark.current
      ?.closest('.table-scroll')
      ?.querySelector<HTMLElement>('tr[data-row][tabindex="0"]')
      ?.focus();
  return (
    <>
      <span ref={mark} hidden />
      <RowDrawer
        title={(row && detailTitle?.(row)) ?? label}
        isOpen={row !== undefined}
        onPrevious={focus.previous}
        onNext={focus.next}
        onClose={() => focus.setOpen(null)}
        onClosed={giveFocusBack}
      >
        {row !== undefined && detail(row)}
      </RowDrawer>
    </>
  );
};

const styleOf = <Row,>(
  { columns, expectedRows = defaultExpected }: TableProps<Row>,
  tools: number,
) =>
  ({
    '--expected-rows': expectedRows,
    '--table-min-width': `${minWidthOf(columns, tools)}px`,
  }) as CSSProperties;

/**
 * A table on a wide screen, a stack of cards on a narrow one. Our own for the size of the first
 * load: see console/README.
 */
export const DataTable = <Row,>(props: TableProps<Row>) => {
  const { t } = useTranslation('common');
  const { columns, rows, rowKey, detail, selection, label } = props;
  const [width, ref] = useWidth();
  const [order, setOrder] = useState<Order | null>(null);
  const inOrder = rows && sortRows(rows, order, columns);
  const table = { ...props, columns: withPlaces(columns, rows ?? [], useQuotaDisplay()) };
  const keys = (inOrder ?? []).map(rowKey);
  const focus = useRowKeys(keys);
  const hasTools = [Boolean(detail), Boolean(selection)];
  const tools = hasTools.filter(Boolean).length;
  const columnCount = columns.length + tools;
  const style = styleOf(props, tools);
  if (rows?.length === 0) {
    return (
      <div className="table-empty" style={style}>
        {props.empty}
      </div>
    );
  }
  const heads = groupHeads(props, inOrder ?? []);

  const renderRow = (row: Row, measured?: Measured) => {
    const key = rowKey(row);
    return (
      <TableRow
        key={key}
        row={row}
        table={table}
        columnCount={columnCount}
        groupHead={heads.get(key)}
        isOpen={focus.isOpen(key)}
        isTabStop={key === focus.tabStop}
        measured={measured}
        onOpen={() => focus.setOpen(key)}
        onActive={() => focus.setActive(key)}
      />
    );
  };
  const skeleton = (
    <SkeletonRows columns={columnCount} rows={props.expectedRows ?? defaultExpected} />
  );

  return (
    <div
      ref={ref}
      className={classOf(props, isTight(props, tools, width))}
      aria-busy={props.isBusy}
      style={style}
    >
      <table className="data-table" aria-label={label}>
        <ColumnWidths columns={columns} hasTools={hasTools} />
        <thead>
          <tr>
            {detail && <th className="cell-tool" aria-label={t('details')} />}
            {selection && <SelectAll selection={selection} keys={keys} />}
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
          <VirtualRows rows={inOrder} columns={columnCount} render={renderRow} />
        ) : (
          <tbody>{inOrder?.map((row) => renderRow(row)) ?? skeleton}</tbody>
        )}
      </table>
      <TableDrawer table={props} row={inOrder?.[focus.at]} focus={focus} />
    </div>
  );
};
