import { Button } from '@blueprintjs/core';
import { Edit, Search, Trash } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { useUnsavedChanges } from '../../../shared/components/unsaved-guard.tsx';
import { dismissFailures, toast } from '../../../shared/toast.ts';
import { type Options, useSaveOptions } from '../api/options.ts';
import { ModelDialog } from './model-dialog.tsx';
import { draftOf, emptyDraft } from './model-draft.ts';
import { PricePreview } from './price-preview.tsx';
import { editableColumns } from './ratio-columns.tsx';
import { RatioPanel, useRatioSearch } from './ratio-panel.tsx';
import {
  changedRows,
  changesOf,
  isDecimal,
  type RatioColumn,
  type RatioRow,
  rowsOf,
} from './ratio-table.ts';

const pageSize = 10;

/** Price and ratios of every model in one table; nothing is saved before it is applied. */
export const RatioEditor = ({ options }: Readonly<{ options: Options }>) => {
  const { t } = useTranslation(['setting', 'common']);
  const [edited, setEdited] = useState<readonly RatioRow[] | null>(null);
  const [page, onPage] = useState(1);
  /** `null`: no dialog; `new`: a model to be added. */
  const [target, setTarget] = useState<RatioRow | 'new' | null>(null);
  const save = useSaveOptions();
  const rows = edited ?? rowsOf(options);
  const count = edited === null ? 0 : changedRows(rowsOf(options), edited);
  useUnsavedChanges(count);
  const search = useRatioSearch(rows, { page, pageSize, onPage });

  const change = (name: string, column: RatioColumn, text: string) => {
    if (!isDecimal(text)) return toast('error', t('number-wrong'));
    dismissFailures();
    setEdited(rows.map((row) => (row.name === name ? { ...row, [column]: text } : row)));
  };
  const put = (row: RatioRow) => {
    if (target !== 'new') {
      setEdited(rows.map((other) => (other.name === row.name ? row : other)));
      return;
    }
    setEdited([row, ...rows]);
    search.search('');
  };
  const apply = () => {
    if (edited === null || count === 0) return toast('hint', t('nothing-changed'));
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
    <>
      <RatioPanel
        name="visual"
        search={search}
        count={count}
        isSaving={save.isPending}
        onAdd={() => setTarget('new')}
        onApply={apply}
        onDiscard={() => setEdited(null)}
        preview={count > 0 && <PricePreview changes={changesOf(rows)} />}
      >
        <DataTable
          label={t('visual')}
          columns={columns}
          rows={search.shown}
          rowKey={(row) => row.name}
          isBusy={false}
          empty={<EmptyState icon={<Search size={36} />} title={t('visual-none')} />}
        />
      </RatioPanel>
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
    </>
  );
};
