import { Button, Callout } from '@blueprintjs/core';
import { Clipboard, Code, Key, Plus, Search } from '@blueprintjs/icons';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../../shared/clipboard.ts';
import { useColumnChoice } from '../../../shared/components/column-dialog.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ListToolbar } from '../../../shared/components/list-toolbar.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { SelectionBar } from '../../../shared/components/selection-bar.tsx';
import { FirstSteps } from '../../../shared/first-steps/first-steps.tsx';
import { useAddressPaging } from '../../../shared/hooks/use-paging.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { type TokenSearch, useTokens } from '../api/tokens.ts';
import { hiddenColumns, tokenColumns } from '../components/token-columns.tsx';
import type { DrawerTarget } from '../components/token-drawer.tsx';

const TokenDrawer = lazy(async () => ({
  default: (await import('../components/token-drawer.tsx')).TokenDrawer,
}));
const ConnectDialog = lazy(async () => ({
  default: (await import('../../../shared/connect/connect-dialog.tsx')).ConnectDialog,
}));

/** What the address holds. A key is no part of it: addresses end up in logs. */
const defaults = { keyword: '', p: '1' };
const noSearch: TokenSearch = { keyword: '', token: '' };

export const Tokens = () => {
  const { t } = useTranslation(['token', 'connect']);
  const display = useQuotaDisplay();
  const copy = useCopy();
  const [{ keyword, p }, change] = useUrlFilters(defaults);
  const paging = useAddressPaging(p, change);
  const [key, setKey] = useState('');
  const search: TokenSearch = { keyword, token: key };
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set());
  const [target, setTarget] = useState<DrawerTarget>(null);
  /** From the first time on the drawer stays, so that it can close as it opened. */
  const [needsDrawer, setNeedsDrawer] = useState(false);
  if (target !== null && !needsDrawer) setNeedsDrawer(true);
  const [connecting, setConnecting] = useState<number | 'any' | null>(null);
  const choice = useColumnChoice(
    'tokens-table-columns',
    tokenColumns({ t, display, onEdit: setTarget, onConnect: setConnecting }),
    hiddenColumns,
  );
  const tokens = useTokens(paging.page, paging.pageSize, search);
  const rows = tokens.data?.items;

  const copySelected = () => {
    const chosen = (rows ?? []).filter(({ id }) => selected.has(id));
    const lines = chosen.map(({ name, key }) => `${name}    sk-${key}`).join('\n');
    void copy(lines, t('selected-copied', { number: chosen.length }));
  };

  const add = (
    <Button intent="primary" icon={<Plus />} text={t('add')} onClick={() => setTarget('new')} />
  );

  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <Button icon={<Code />} text={t('connect:title')} onClick={() => setConnecting('any')} />
          {add}
        </>
      }
    >
      <FirstSteps />
      <Callout compact intent="warning">
        {t('warning')}
      </Callout>
      <section className="panel">
        <ListToolbar
          fields={[{ name: 'token', label: t('search-token'), kind: 'text' }]}
          filters={search}
          none={noSearch}
          search={{ name: 'keyword', label: t('search-keyword') }}
          onApply={(next) => {
            if (next.token !== undefined) setKey(next.token);
            change({ ...(next.keyword !== undefined && { keyword: next.keyword }), p: '1' });
          }}
          end={choice.button}
        />
        <ListView
          query={tokens}
          paging={paging}
          total={tokens.data?.total}
          label={t('title')}
          columns={choice.columns}
          rows={rows}
          rowKey={({ id }) => id}
          isMuted={({ status }) => status !== 1}
          selection={{ keys: selected, onChange: setSelected }}
          empty={
            keyword === '' && key === '' ? (
              <EmptyState
                icon={<Key size={36} />}
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
      {connecting !== null && (
        <Suspense fallback={null}>
          <ConnectDialog token={connecting} onClose={() => setConnecting(null)} />
        </Suspense>
      )}
      {needsDrawer && (
        <Suspense fallback={null}>
          <TokenDrawer target={target} onClose={() => setTarget(null)} />
        </Suspense>
      )}
    </Page>
  );
};
