import { Button, InputGroup } from '@blueprintjs/core';
import { Edit, Plus, Search, Trash } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Pager } from '../../../shared/components/pager.tsx';
import { toast } from '../../../shared/toast.ts';
import { type Options, useSaveOptions } from '../api/options.ts';
import { ModelDialog } from './model-dialog.tsx';
import { draftOf, emptyDraft } from './model-draft.ts';
import { editableColumns } from './ratio-columns.tsx';
import { changesOf, isDecimal, type RatioColumn, type RatioRow, rowsOf } from './ratio-table.ts';

const pageSize = 10;

/** Price and ratios of every model in one table; nothing is saved before it is applied. */
export const RatioEditor = ({ options }: Readonly<{ options: Options }>) => {
  const { t } = useTranslation(['setting', 'common']);
  const [edited, setEdited] = useState<readonly RatioRow[] | null>(null);
  const [keyword, setKeyword] = useState('');
  const [page, setPage] = useState(1);
  /** `null`: no dialog; `new`: a model to be added. */
  const [target, setTarget] = useState<RatioRow | 'new' | null>(null);
  const save = useSaveOptions();
  const rows = edited ?? rowsOf(options);
  const found = rows.filter((row) => row.name.toLowerCase().includes(keyword.toLowerCase()));
  const shown = found.slice((page - 1) * pageSize, page * pageSize);

  const change = (name: string, column: RatioColumn, text: string) => {
    if (!isDecimal(text)) return toast('error', t('number-wrong'));
    setEdited(rows.map((row) => (row.name === name ? { ...row, [column]: text } : row)));
  };
  const put = (row: RatioRow) => {
    if (target !== 'new') {
      setEdited(rows.map((other) => (other.name === row.name ? row : other)));
      return;
    }
    setEdited([row, ...rows]);
    setKeyword('');
    setPage(1);
  };
  const apply = () => {
    if (edited === null) return toast('warning', t('nothing-changed'));
    const done = () => {
      toast('success', t('saved'));
      setEdited(null);
    };
    save.mutate(changesOf(edited), { onSuccess: done });
  };
  const columns: readonly Column<RatioRow>[] = [
    ...editableColumns({ t, onChange: change }),
    {
      key: 'actions',
      title: t('visual-actions'),
      isWide: true,
      render: (row) => (
        <div className="row-actions">
          <Button
            variant="minimal"
            size="small"
            icon={<Edit />}
            aria-label={`${t('common:edit')} ${row.name}`}
            onClick={() => setTarget(row)}
          />
          <Button
            variant="minimal"
            size="small"
            intent="danger"
            icon={<Trash />}
            aria-label={`${t('common:delete')} ${row.name}`}
            onClick={() => setEdited(rows.filter((other) => other !== row))}
          />
        </div>
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
        <Button icon={<Plus />} text={t('visual-add')} onClick={() => setTarget('new')} />
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
        />
      )}
      {target !== null && (
        <ModelDialog
          key={target === 'new' ? '' : target.name}
          initial={target === 'new' ? emptyDraft : draftOf(target)}
          isNew={target === 'new'}
          known={target === 'new' ? rows.map(({ name }) => name) : []}
          onSave={put}
          onClose={() => setTarget(null)}
        />
      )}
    </section>
  );
};
