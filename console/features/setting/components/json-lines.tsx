import { Button, InputGroup } from '@blueprintjs/core';
import { Cross, Search } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Pager } from '../../../shared/components/pager.tsx';
import {
  cellFault,
  type JsonTable,
  lineName,
  type TableColumn,
  type TableLine,
} from './json-tables.ts';
import { NewLine } from './new-line.tsx';

type Props = Readonly<{
  label: string;
  table: JsonTable;
  lines: readonly TableLine[];
  onChange: (lines: readonly TableLine[]) => void;
}>;

const pageSize = 10;
/** A filter above fewer lines only takes space. */
const filterFrom = 8;

type CellProps = Readonly<{
  label: string;
  column: TableColumn;
  value: string;
  onChange: (text: string) => void;
}>;

/** Keeps what is typed while it is typed: `1.` would become `1` at once. */
const Cell = ({ label, column, value, onChange }: CellProps) => {
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = cellFault(column, typed ?? value) !== null;
  return (
    <InputGroup
      size="small"
      aria-label={label}
      aria-invalid={isWrong}
      intent={isWrong ? 'danger' : 'none'}
      inputMode={column.kind === 'text' ? 'text' : 'decimal'}
      spellCheck={false}
      value={typed ?? value}
      onValueChange={(text) => {
        setTyped(text);
        onChange(text.trim());
      }}
      onBlur={() => setTyped(null)}
    />
  );
};

/** A map or a list as lines that are edited in place, added, removed and found. */
export const JsonLines = ({ label, table, lines, onChange }: Props) => {
  const { t } = useTranslation(['setting', 'common']);
  const [word, setWord] = useState('');
  const [page, setPage] = useState(1);
  const { columns } = table;
  const places = lines
    .map((line, at) => ({ line, at }))
    .filter(({ line }) => line.join(' ').toLowerCase().includes(word.trim().toLowerCase()));
  const last = Math.max(1, Math.ceil(places.length / pageSize));
  const current = Math.min(page, last);
  const shown = places.slice((current - 1) * pageSize, current * pageSize);
  const put = (at: number, column: number, text: string) =>
    onChange(
      lines.map((line, place) =>
        place === at ? line.map((cell, spot) => (spot === column ? text : cell)) : line,
      ),
    );
  const find = (text: string) => {
    setWord(text);
    setPage(1);
  };
  return (
    <div className="json-lines">
      {lines.length >= filterFrom && (
        <InputGroup
          type="search"
          size="small"
          className="json-filter"
          leftIcon={<Search className="input-icon" />}
          aria-label={`${t('table-filter')}: ${label}`}
          placeholder={t('table-filter')}
          value={word}
          onValueChange={find}
          // Enter filters; it must not send the form as well.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <table className="option-table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col">
                {t(`table.${column.label}`)}
              </th>
            ))}
            <th scope="col" className="is-tool">
              <span className="visually-hidden">{t('visual-actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ line, at }) => {
            const name = lineName(table, line);
            return (
              <tr key={name}>
                {columns.map((column, spot) => (
                  <td key={column.label}>
                    {column.isKey ? (
                      <code title={line[spot]}>{line[spot]}</code>
                    ) : (
                      <Cell
                        label={`${name} ${t(`table.${column.label}`)}`}
                        column={column}
                        value={line[spot] ?? ''}
                        onChange={(text) => put(at, spot, text)}
                      />
                    )}
                  </td>
                ))}
                <td className="is-tool">
                  <Button
                    variant="minimal"
                    size="small"
                    icon={<Cross />}
                    aria-label={t('table-remove', { name })}
                    title={t('table-remove', { name })}
                    onClick={() => onChange(lines.filter((_, place) => place !== at))}
                  />
                </td>
              </tr>
            );
          })}
          {shown.length === 0 && (
            <tr>
              <td colSpan={columns.length + 1} className="subtle">
                {t(lines.length === 0 ? 'table-empty' : 'table-none')}
              </td>
            </tr>
          )}
        </tbody>
        <NewLine
          label={label}
          table={table}
          lines={lines}
          onAdd={(line) => {
            find('');
            onChange([line, ...lines]);
          }}
        />
      </table>
      {places.length > pageSize && (
        <Pager
          page={current}
          pageSize={pageSize}
          shown={shown.length}
          total={places.length}
          onPage={setPage}
        />
      )}
    </div>
  );
};
