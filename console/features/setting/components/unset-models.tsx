import { Button } from '@blueprintjs/core';
import { Endorsed } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { useUnsavedChanges } from '../../../shared/components/unsaved-guard.tsx';
import { useOwnPaging } from '../../../shared/hooks/use-paging.ts';
import { dismissFailures, toast } from '../../../shared/toast.ts';
import { type Options, useEnabledModels, useSaveOptions } from '../api/options.ts';
import { FillDialog } from './fill-dialog.tsx';
import { ModelDialog } from './model-dialog.tsx';
import { emptyDraft } from './model-draft.ts';
import { editableColumns } from './ratio-columns.tsx';
import { RatioPanel, useRatioSearch } from './ratio-panel.tsx';
import { changesOf, isDecimal, type RatioRow, rowsOf } from './ratio-table.ts';

const blank = (name: string): RatioRow => ({ name, price: '', ratio: '', completion: '' });
const isSet = ({ price, ratio }: RatioRow) => price !== '' || ratio !== '';

/** Models that channels serve and that have no price yet. */
export const UnsetModels = ({ options }: Readonly<{ options: Options }>) => {
  const { t } = useTranslation('setting');
  const enabled = useEnabledModels();
  const [edited, setEdited] = useState<ReadonlyMap<string, RatioRow>>(new Map());
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set());
  useUnsavedChanges(edited.size);
  const paging = useOwnPaging();
  const [isAdding, setAdding] = useState(false);
  const [isFilling, setFilling] = useState(false);
  const save = useSaveOptions();
  const known = rowsOf(options);
  const priced = new Set(known.filter(isSet).map(({ name }) => name));
  const names = [...new Set([...edited.keys(), ...(enabled.data ?? [])])];
  const rows = names
    .filter((name) => !priced.has(name))
    .map((name) => edited.get(name) ?? blank(name));
  const search = useRatioSearch(rows, paging);
  const put = (changed: readonly RatioRow[]) =>
    setEdited(new Map([...edited, ...changed.map((row) => [row.name, row] as const)]));

  const apply = () => {
    if (edited.size === 0) return toast('hint', t('nothing-changed'));
    const others = known.filter(({ name }) => !edited.has(name));
    const done = () => {
      toast('success', t('saved'));
      setEdited(new Map());
      setSelected(new Set());
    };
    save.mutate(changesOf([...others, ...edited.values()]), { onSuccess: done });
  };

  return (
    <>
      <RatioPanel
        name="unset"
        search={search}
        count={edited.size}
        isSaving={save.isPending}
        onAdd={() => setAdding(true)}
        onApply={apply}
        onDiscard={() => setEdited(new Map())}
        extra={
          <Button
            text={t('fill', { count: selected.size })}
            onClick={() =>
              selected.size === 0 ? toast('error', t('fill-select')) : setFilling(true)
            }
          />
        }
      >
        {enabled.isError && !enabled.data ? (
          <LoadFailed error={enabled.error} onRetry={() => void enabled.refetch()} />
        ) : (
          <DataTable
            label={t('unset')}
            columns={editableColumns({
              t,
              onChange: (name, column, text) => {
                if (!isDecimal(text)) return toast('error', t('number-wrong'));
                dismissFailures();
                put([{ ...(edited.get(name) ?? blank(name)), [column]: text }]);
              },
            })}
            rows={enabled.data && search.shown}
            rowKey={({ name }) => name}
            isBusy={false}
            selection={{ keys: selected, onChange: setSelected }}
            empty={
              <EmptyState
                icon={<Endorsed size={36} />}
                title={search.keyword === '' ? t('unset-none') : t('visual-none')}
              />
            }
          />
        )}
      </RatioPanel>
      {isAdding && (
        <ModelDialog
          initial={emptyDraft}
          isNew
          known={[...priced, ...rows.map(({ name }) => name)]}
          onSave={(row) => put([row])}
          onClose={() => setAdding(false)}
        />
      )}
      {isFilling && (
        <FillDialog
          count={selected.size}
          onFill={(values, kind) => {
            const chosen = rows.filter(({ name }) => selected.has(name));
            put(chosen.map((row) => ({ ...row, ...values })));
            toast('success', t('fill-done', { count: chosen.length, kind: t(`fill.${kind}`) }));
          }}
          onClose={() => setFilling(false)}
        />
      )}
    </>
  );
};
