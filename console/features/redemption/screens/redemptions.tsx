import { Button, Dialog, DialogBody } from '@blueprintjs/core';
import { Barcode, Clipboard, Download, Plus, Search } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { redemptionStates } from '../../../../projections/contract/codes.ts';
import { useCopy } from '../../../shared/clipboard.ts';
import { useColumnChoice } from '../../../shared/components/column-dialog.tsx';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ListToolbar } from '../../../shared/components/list-toolbar.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { SelectionBar } from '../../../shared/components/selection-bar.tsx';
import { saveFile } from '../../../shared/download.ts';
import { useAddressPaging } from '../../../shared/hooks/use-paging.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useRedemptions } from '../api/redemptions.ts';
import { redemptionColumns } from '../components/redemption-columns.tsx';
import {
  type DrawerTarget,
  type NewCodes,
  RedemptionDrawer,
} from '../components/redemption-drawer.tsx';

const SaveCodes = ({ made, onClose }: Readonly<{ made: NewCodes; onClose: () => void }>) => {
  const { t } = useTranslation('redemption');
  const save = () => {
    saveFile(`${made.name}.txt`, `${made.codes.join('\n')}\n`, 'text/plain;charset=utf-8');
    onClose();
  };
  return (
    <Dialog isOpen onClose={onClose} title={t('created-done')} className="tg-dialog">
      <DialogBody>
        <p>{t('save-question', { count: made.codes.length })}</p>
        <pre className="plain-text">{made.codes.join('\n')}</pre>
      </DialogBody>
      <DialogButtons text={t('save')} icon={<Download />} onCancel={onClose} onConfirm={save} />
    </Dialog>
  );
};

export const Redemptions = () => {
  const { t } = useTranslation('redemption');
  const copy = useCopy();
  const [{ p, keyword }, change] = useUrlFilters({ p: '1', keyword: '' });
  const paging = useAddressPaging(p, change);
  const { page, pageSize } = paging;
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set());
  const [target, setTarget] = useState<DrawerTarget>(null);
  const [made, setMade] = useState<NewCodes | null>(null);
  const choice = useColumnChoice(
    'redemptions-table-columns',
    redemptionColumns({ t, onEdit: setTarget }),
  );
  const codes = useRedemptions({ page, pageSize, keyword });
  const rows = codes.data?.items;

  const copySelected = () => {
    const chosen = (rows ?? []).filter(({ id }) => selected.has(id));
    const lines = chosen.map(({ name, key }) => `${name}    ${key}`).join('\n');
    void copy(lines, t('selected-copied', { count: chosen.length }));
  };
  const add = (
    <Button intent="primary" icon={<Plus />} text={t('add')} onClick={() => setTarget('new')} />
  );

  return (
    <Page title={t('title')} lead={t('lead')} actions={add}>
      <section className="panel">
        <ListToolbar
          fields={[]}
          filters={{ keyword }}
          none={{ keyword: '' }}
          search={{ name: 'keyword', label: t('keyword'), hint: t('keyword-hint') }}
          onApply={(next) => change({ ...next, p: '1' })}
          end={choice.button}
        />
        <ListView
          query={codes}
          paging={paging}
          total={codes.data?.total}
          label={t('title')}
          columns={choice.columns}
          rows={rows}
          rowKey={({ id }) => id}
          isMuted={({ status }) => status !== redemptionStates.unused}
          selection={{ keys: selected, onChange: setSelected }}
          empty={
            keyword === '' ? (
              <EmptyState
                icon={<Barcode size={36} />}
                title={t('empty')}
                hint={t('empty-hint')}
                action={add}
              />
            ) : (
              <EmptyState icon={<Search size={36} />} title={t('nothing-found')} />
            )
          }
        />
      </section>
      <SelectionBar count={selected.size} onClear={() => setSelected(new Set())}>
        <Button icon={<Clipboard />} text={t('copy-selected')} onClick={copySelected} />
      </SelectionBar>
      {target !== null && (
        <RedemptionDrawer
          target={target}
          onClose={() => setTarget(null)}
          onCreated={(codes) => {
            setTarget(null);
            setMade(codes);
          }}
        />
      )}
      {made && <SaveCodes made={made} onClose={() => setMade(null)} />}
    </Page>
  );
};
