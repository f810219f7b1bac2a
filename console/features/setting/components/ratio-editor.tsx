import { Button, InputGroup } from '@blueprintjs/core';
import { Plus, Search, Trash } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Pager } from '../../../shared/components/pager.tsx';
import { usePageSize } from '../../../shared/hooks/use-page-size.ts';
import { toast } from '../../../shared/toast.ts';
import { type Options, useSaveOptions } from '../api/options.ts';
import {
  changesOf,
  hasZeroPrice,
  isDecimal,
  type RatioColumn,
  type RatioRow,
  ratioColumns,
  rowsOf,
} from './ratio-table.ts';

/** Price and ratios of every model in one table; nothing is saved before it is applied. */
export const RatioEditor = ({ options }: Readonly<{ options: Options }>) => {
  const { t } = useTranslation(['setting', 'common']);
  const [edited, setEdited] = useState<readonly RatioRow[] | null>(null);
  const [keyword, setKeyword] = useState('');
  const [name, setName] = useState('');
  const [page, setPage] = useState(1);
  const [pageSize, setPageSize] = usePageSize();
  const save = useSaveOptions();
  const rows = edited ?? rowsOf(options);
  const found = rows.filter((row) => row.name.toLowerCase().includes(keyword.toLowerCase()));
  const shown = found.slice((page - 1) * pageSize, page * pageSize);

  const change = (target: string, column: RatioColumn, text: string) => {
    if (!isDecimal(text)) return toast('error', t('number-wrong'));
    setEdited(rows.map((row) => (row.name === target ? { ...row, [column]: text } : row)));
  };
  const add = () => {
    const wanted = name.trim();
    if (wanted === '') return toast('error', t('visual-name-missing'));
    if (rows.some((row) => row.name === wanted)) return toast('error', t('visual-exists'));
    setEdited([{ name: wanted, price: '', ratio: '', completion: '' }, ...rows]);
    setName('');
    setKeyword('');
    setPage(1);
  };
  const apply = () => {
    if (edited === null) return toast('warning', t('nothing-changed'));
    if (hasZeroPrice(edited)) return toast('error', t('visual-zero'));
    const done = () => {
      toast('success', t('saved'));
      setEdited(null);
    };
    save.mutate(changesOf(edited), { onSuccess: done });
  };
  const columns: readonly Column<RatioRow>[] = [
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
          onValueChange={(text) => change(row.name, column, text)}
        />
      ),
    })),
    {
      key: 'actions',
      title: t('visual-actions'),
      isWide: true,
      render: (row) => (
        <Button
          variant="minimal"
          size="small"
          intent="danger"
          icon={<Trash />}
          aria-label={`${t('common:delete')} ${row.name}`}
          onClick={() => setEdited(rows.filter((other) => other !== row))}
        />
      ),
    },
  ];

  return (
    <section className="panel" aria-label={t('visual')}>
      <div className="panel-body">
        <h2 className="panel-title">{t('visual')}</h2>
        <p className="subtle">{t('visual-lead')}</p>
      </div>
      <div className="toolbar">
        <InputGroup
          type="search"
          leftIcon={<Search className="input-icon" />}
          aria-label={t('visual-search')}
          placeholder={t('visual-search')}
          value={keyword}
          onValueChange={(text) => {
            setKeyword(text);
            setPage(1);
          }}
        />
        <InputGroup
          aria-label={t('visual-name')}
          placeholder={t('visual-name')}
          value={name}
          onValueChange={setName}
        />
        <Button icon={<Plus />} text={t('visual-add')} onClick={add} />
        <div className="toolbar-end">
          <Button
            intent={edited === null ? 'none' : 'primary'}
            text={t('visual-apply')}
            loading={save.isPending}
            onClick={apply}
          />
        </div>
      </div>
      <DataTable
        label={t('visual')}
        columns={columns}
        rows={shown}
        rowKey={(row) => row.name}
        isBusy={false}
        empty={<EmptyState icon={<Search size={36} />} title={t('visual-none')} />}
      />
      {found.length > 0 && (
        <Pager
          page={page}
          pageSize={pageSize}
          shown={shown.length}
          total={found.length}
          onPage={setPage}
          onPageSize={(size) => {
            setPageSize(size);
            setPage(1);
          }}
        />
      )}
    </section>
  );
};
