import { InputGroup } from '@blueprintjs/core';
import type { TFunction } from 'i18next';
import type { Column } from '../../../shared/components/data-table.tsx';
import { type RatioColumn, type RatioRow, ratioColumns } from './ratio-table.ts';

type Context = Readonly<{
  t: TFunction<'setting'>;
  onChange: (name: string, column: RatioColumn, text: string) => void;
}>;

/** Name, price and ratios, each number in a separate field. A price closes the ratios. */
export const editableColumns = ({ t, onChange }: Context): readonly Column<RatioRow>[] => [
  { key: 'name', title: t('visual-name'), render: (row) => <code>{row.name}</code> },
  ...ratioColumns.map((column) => ({
    key: column,
    title: t(`visual-${column}`),
    render: (row: RatioRow) => (
      <InputGroup
        className="ratio-cell"
        size="small"
        inputMode="decimal"
        aria-label={`${row.name} ${t(`visual-${column}`)}`}
        disabled={column !== 'price' && row.price !== ''}
        placeholder={column === 'price' ? t('visual-by-use') : ''}
        value={row[column]}
        onValueChange={(text) => onChange(row.name, column, text)}
      />
    ),
  })),
];
