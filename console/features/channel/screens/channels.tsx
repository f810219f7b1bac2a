import { Button, Switch } from '@blueprintjs/core';
import { ColumnLayout, Plus, Refresh, Satellite, Search } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { ColumnDialog, useColumns } from '../../../shared/components/column-dialog.tsx';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { Pager } from '../../../shared/components/pager.tsx';
import { usePageSize } from '../../../shared/hooks/use-page-size.ts';
import { readLocal, writeLocal } from '../../../shared/local-values.ts';
import { paths } from '../../../shared/paths.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { type ChannelSearch, useChannels, useUpdateChannel } from '../api/channels.ts';
import { BatchBar } from '../components/batch-bar.tsx';
import { channelColumnKeys, channelColumns } from '../components/channel-columns.tsx';
import { ChannelDrawer, type DrawerTarget } from '../components/channel-drawer.tsx';
import { ChannelSearchBar } from '../components/channel-search.tsx';

const noSearch: ChannelSearch = { keyword: '', model: '', group: '' };
const allColumns = Object.fromEntries(channelColumnKeys.map((key) => [key, true]));

/** The address says whether the drawer is open, so that it can be linked to. */
const useDrawerTarget = (): DrawerTarget => {
  const { pathname } = useLocation();
  const { channelId } = useParams();
  if (pathname === paths.channelAdd) return 'new';
  return channelId === undefined ? null : Number(channelId);
};

const useIdSort = () => {
  const [isOn, setOn] = useState(() => readLocal('id-sort') === 'true');
  const change = (next: boolean) => {
    writeLocal('id-sort', String(next));
    setOn(next);
  };
  return [isOn, change] as const;
};

export const Channels = () => {
  const { t } = useTranslation(['channel', 'common']);
  const navigate = useNavigate();
  const display = useQuotaDisplay();
  const target = useDrawerTarget();
  const update = useUpdateChannel();
  const [page, setPage] = useState(1);
  const [pageSize, setPageSize] = usePageSize();
  const [search, setSearch] = useState(noSearch);
  const [idSort, setIdSort] = useIdSort();
  const [shown, setShown] = useColumns('channels-table-columns', allColumns);
  const [isBatch, setBatch] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set());
  const [isChoosing, setChoosing] = useState(false);
  const channels = useChannels({ ...search, page, pageSize, idSort });
  const rows = channels.data?.items;
  const isSearching = Object.values(search).some((value) => value !== '');
  const add = (
    <Button
      intent="primary"
      icon={<Plus />}
      text={t('add')}
      onClick={() => void navigate(paths.channelAdd)}
    />
  );

  return (
    <Page title={t('title')} lead={t('lead')} actions={add}>
      <section className="panel">
        <ChannelSearchBar
          search={search}
          onSearch={(next) => {
            setSearch(next);
            setPage(1);
          }}
        />
        <div className="toolbar is-second">
          <Switch
            checked={idSort}
            label={t('id-sort')}
            onChange={(event) => setIdSort(event.currentTarget.checked)}
          />
          <Switch
            checked={isBatch}
            label={t('batch-mode')}
            onChange={(event) => {
              setBatch(event.currentTarget.checked);
              setSelected(new Set());
            }}
          />
          {isBatch && (
            <BatchBar ids={[...selected].map(Number)} onDone={() => setSelected(new Set())} />
          )}
          <div className="toolbar-end">
            <Button
              icon={<Refresh />}
              text={t('common:refresh')}
              onClick={() => void channels.refetch()}
            />
            <Button
              icon={<ColumnLayout />}
              text={t('common:columns')}
              onClick={() => setChoosing(true)}
            />
          </div>
        </div>
        {channels.isError && !channels.data ? (
          <LoadFailed error={channels.error} onRetry={() => void channels.refetch()} />
        ) : (
          <DataTable
            label={t('title')}
            columns={channelColumns(
              { t, display, onNumber: (id, change) => update.mutate({ id, ...change }) },
              (key) => shown[key] === true,
            )}
            rows={rows}
            rowKey={({ id }) => id}
            isBusy={channels.isFetching && !channels.isPending}
            isMuted={({ status }) => status !== 1}
            {...(isBatch && { selection: { keys: selected, onChange: setSelected } })}
            empty={
              isSearching ? (
                <EmptyState icon={<Search size={36} />} title={t('nothing-found')} />
              ) : (
                <EmptyState
                  icon={<Satellite size={36} />}
                  title={t('empty')}
                  hint={t('empty-hint')}
                  action={add}
                />
              )
            }
          />
        )}
        {rows && (rows.length > 0 || page > 1) && (
          <Pager
            page={page}
            pageSize={pageSize}
            shown={rows.length}
            total={channels.data?.total ?? null}
            onPage={setPage}
            onPageSize={(size) => {
              setPageSize(size);
              setPage(1);
            }}
          />
        )}
      </section>
      <ChannelDrawer target={target} onClose={() => void navigate(paths.channel)} />
      <ColumnDialog
        isOpen={isChoosing}
        titles={Object.fromEntries(channelColumnKeys.map((key) => [key, t(`column.${key}`)]))}
        shown={shown}
        defaults={allColumns}
        onChange={setShown}
        onClose={() => setChoosing(false)}
      />
    </Page>
  );
};
