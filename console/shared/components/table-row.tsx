import { Button, Checkbox } from '@blueprintjs/core';
import { ChevronRight } from '@blueprintjs/icons';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, type TableProps, toggled } from './columns.ts';
import type { Measured } from './virtual-rows.tsx';

type Props<Row> = Readonly<{
  row: Row;
  table: TableProps<Row>;
  columnCount: number;
  /** Heading of the group that begins with this row. */
  groupHead: string | undefined;
  isOpen: boolean;
  /** The one row of the table that the Tab key reaches. */
  isTabStop: boolean;
  measured: Measured | undefined;
  onOpen: () => void;
  onActive: () => void;
}>;

/** A click on a control inside a row is for that control, and marking text is not a click. */
const isForRow = (target: EventTarget) =>
  target instanceof Element &&
  target.closest('button, a, input, label, select') === null &&
  (window.getSelection()?.isCollapsed ?? true);

const neighbour = (row: HTMLElement, direction: 'next' | 'previous'): HTMLElement | null => {
  const step = (from: Element) =>
    direction === 'next' ? from.nextElementSibling : from.previousElementSibling;
  let found = step(row);
  while (found && !found.hasAttribute('data-row')) found = step(found);
  return found instanceof HTMLElement ? found : null;
};

/** The whole text where a cell shows only a part of it. */
const showWhole = ({ currentTarget: cell }: MouseEvent<HTMLElement>): void => {
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent ?? '';
};

/** Where the table has not set others for the column. */
const centPlaces = 2;

const cellClass = <Row,>({ isNumber, isWide, card }: Column<Row>): string =>
  [isNumber && 'is-number', isWide && 'is-wide', card && `card-${card}`].filter(Boolean).join(' ');

const Cell = <Row,>({ column, row }: Readonly<{ column: Column<Row>; row: Row }>) => (
  <td data-label={column.title} className={cellClass(column)} onMouseEnter={showWhole}>
    {column.render(row, centPlaces)}
  </td>
);

type Run<Row> = Readonly<{ kept: Column<Row> } | { first: Column<Row>; length: number }>;

/** Columns with a cell of their own, and runs of those that the sentence replaces. */
const runsOf = <Row,>(columns: readonly Column<Row>[], keeps: readonly string[]) => {
  const runs: Run<Row>[] = [];
  for (const column of columns) {
    const last = runs.at(-1);
    if (keeps.includes(column.key)) runs.push({ kept: column });
    else if (last && 'first' in last) runs.splice(-1, 1, { ...last, length: last.length + 1 });
    else runs.push({ first: column, length: 1 });
  }
  return runs;
};

type CellsProps<Row> = Readonly<{ row: Row; table: TableProps<Row> }>;

const Cells = <Row,>({ row, table }: CellsProps<Row>): ReactNode => {
  const { columns, sentence } = table;
  const text = sentence?.render(row) ?? null;
  if (text === null || !sentence) {
    return columns.map((column) => <Cell key={column.key} column={column} row={row} />);
  }
  const runs = runsOf(columns, sentence.keeps);
  const widest = runs.reduce((most, run) => Math.max(most, 'first' in run ? run.length : 0), 0);
  const speaker = runs.find((run) => 'first' in run && run.length === widest);
  return runs.map((run) =>
    'kept' in run ? (
      <Cell key={run.kept.key} column={run.kept} row={row} />
    ) : (
      <td
        key={run.first.key}
        colSpan={run.length}
        className={run === speaker ? 'cell-sentence card-title' : ''}
        onMouseEnter={showWhole}
      >
        {run === speaker && text}
      </td>
    ),
  );
};

const rowClass = <Row,>({ table, row, isOpen }: Props<Row>): string =>
  [
    table.detail && 'is-expandable',
    isOpen && 'is-open',
    table.selection?.keys.has(table.rowKey(row)) && 'is-selected',
    table.isMuted?.(row) && 'is-muted',
    table.isChild?.(row) && 'is-child',
  ]
    .filter(Boolean)
    .join(' ');

/** One line of a list; the arrow keys move between rows, Enter opens one, `x` selects it. */
export const TableRow = <Row,>(props: Props<Row>) => {
  const { t } = useTranslation('common');
  const { row, table, onOpen } = props;
  const { selection, detail } = table;
  const key = table.rowKey(row);
  const id = useId();
  const toggle = () => selection?.onChange(toggled(selection.keys, key));
  const actionOf = (pressed: string, from: HTMLElement): (() => void) | undefined => {
    if (pressed === 'ArrowDown') return () => neighbour(from, 'next')?.focus();
    if (pressed === 'ArrowUp') return () => neighbour(from, 'previous')?.focus();
    if (pressed === 'Enter') return detail && onOpen;
    return pressed === 'x' ? selection && toggle : undefined;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { currentTarget, target } = event;
    if (target !== currentTarget) return;
    const action = actionOf(event.key, currentTarget);
    if (!action) return;
    event.preventDefault();
    action();
  };
  const isReached = Boolean(detail ?? selection);
  return (
    <>
      {props.groupHead !== undefined && (
        <tr className="group-head">
          <th colSpan={props.columnCount} scope="colgroup">
            {props.groupHead}
          </th>
        </tr>
      )}
      <tr
        data-row
        id={id}
        className={rowClass(props)}
        {...props.measured}
        {...(isReached && {
          tabIndex: props.isTabStop ? 0 : -1,
          onKeyDown,
          onFocus: props.onActive,
        })}
        {...(detail && { onClick: (event) => isForRow(event.target) && onOpen() })}
      >
        {detail && (
          <td className="cell-tool cell-open">
            <Button
              variant="minimal"
              size="small"
              tabIndex={-1}
              icon={<ChevronRight />}
              aria-haspopup="dialog"
              aria-expanded={props.isOpen}
              aria-label={t('show-details')}
              onClick={onOpen}
            />
          </td>
        )}
        {selection && (
          <td className="cell-tool">
            <Checkbox
              checked={selection.keys.has(key)}
              aria-label={t('select-row')}
              onChange={toggle}
            />
          </td>
        )}
        <Cells row={row} table={table} />
      </tr>
    </>
  );
};
