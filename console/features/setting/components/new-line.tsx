import { Button, InputGroup } from '@blueprintjs/core';
import { Plus } from '@blueprintjs/icons';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusFirstProblem } from '../../../shared/form-problem.ts';
import { type JsonTable, lineFault, lineName, type TableLine } from './json-tables.ts';

type Props = Readonly<{
  label: string;
  table: JsonTable;
  lines: readonly TableLine[];
  onAdd: (line: TableLine) => void;
}>;

/** The last line of a table: what is entered here becomes a separate line. */
export const NewLine = ({ label, table, lines, onAdd }: Props) => {
  const { t } = useTranslation('setting');
  const { columns } = table;
  const empty = columns.map(() => '');
  const [cells, setCells] = useState<TableLine>(empty);
  const [isAsked, setAsked] = useState(false);
  const row = useRef<HTMLTableRowElement>(null);
  const line = cells.map((cell) => cell.trim());
  const name = lineName(table, line);
  const isTaken = lines.some((other) => lineName(table, other) === name);
  const lastKey = columns.findLastIndex(({ isKey }) => isKey);
  const fault =
    lineFault(table, [line]) ??
    (isTaken ? { line: 0, column: lastKey, text: 'cell-taken' as const } : null);
  const shown = isAsked ? fault : null;
  const add = () => {
    if (fault === null) {
      onAdd(line);
      setCells(empty);
      setAsked(false);
    } else setAsked(true);
    const first = row.current?.querySelector<HTMLElement>('input');
    if (fault === null) first?.focus();
    else if (row.current) focusFirstProblem(row.current);
  };
  return (
    <tfoot>
      <tr ref={row}>
        {columns.map((column, at) => (
          <td key={column.label}>
            <InputGroup
              size="small"
              aria-label={`${label}: ${t('table-new')}, ${t(`table.${column.label}`)}`}
              aria-invalid={shown?.column === at}
              intent={shown?.column === at ? 'danger' : 'none'}
              inputMode={column.kind === 'text' ? 'text' : 'decimal'}
              placeholder={t(`table.${column.label}`)}
              spellCheck={false}
              value={cells[at] ?? ''}
              onValueChange={(text) =>
                setCells(cells.map((cell, place) => (place === at ? text : cell)))
              }
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                add();
              }}
            />
          </td>
        ))}
        <td className="is-tool">
          <Button
            size="small"
            icon={<Plus />}
            aria-label={t('table-add', { label })}
            title={t('table-add', { label })}
            onClick={add}
          />
        </td>
      </tr>
      {shown && (
        <tr>
          <td colSpan={columns.length + 1}>
            <span className="error-text" role="alert">
              {t(shown.text, { name: name || t('table-new') })}
            </span>
          </td>
        </tr>
      )}
    </tfoot>
  );
};
