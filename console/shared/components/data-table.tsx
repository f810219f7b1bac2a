import { Button, Checkbox, Classes } from '@blueprintjs/core';
import { ChevronDown, ChevronRight } from '@blueprintjs/icons';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

export type Column<Row> = Readonly<{
  key: string;
  title: string;
  render: (row: Row) => ReactNode;
  isNumber?: boolean;
  /** Spans the whole card on a narrow screen. */
  isWide?: boolean;
}>;
type Key = string | number;
export type Selection = Readonly<{
  keys: ReadonlySet<Key>;
  onChange: (keys: ReadonlySet<Key>) => void;
}>;
type Props<Row> = Readonly<{
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => Key;
  isBusy: boolean;
  empty: ReactNode;
  expand?: (row: Row) => ReactNode;
  isMuted?: (row: Row) => boolean;
  selection?: Selection;
}>;

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

/** A click on a control inside a row is for that control, and marking text is not a click. */
const isForRow = (target: EventTarget) =>
  target instanceof Element &&
  target.closest('button, a, input, label, select') === null &&
  (window.getSelection()?.isCollapsed ?? true);

/** A table on a wide screen, a stack of cards on a narrow one. */
export const DataTable = <Row,>(props: Props<Row>) => {
  const { t } = useTranslation('common');
  const { columns, rows, rowKey, expand, selection } = props;
  const [open, setOpen] = useState<ReadonlySet<Key>>(new Set());
  const width = columns.length + Number(Boolean(expand)) + Number(Boolean(selection));
  if (rows?.length === 0) return <div className="table-empty">{props.empty}</div>;
  const isAllSelected = rows?.every((row) => selection?.keys.has(rowKey(row))) ?? false;

  const renderRow = (row: Row) => {
    const key = rowKey(row);
    const isOpen = open.has(key);
    const toggle = () => setOpen(toggled(open, key));
    const className = `${expand ? 'is-expandable' : ''} ${props.isMuted?.(row) ? 'is-muted' : ''}`;
    return (
      <Fragment key={key}>
        <tr
          className={className}
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
              <th key={column.key} className={column.isNumber ? 'is-number' : ''} scope="col">
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows ? rows.map(renderRow) : <SkeletonRows columns={width} />}</tbody>
      </table>
    </div>
  );
};
