import { Button, Switch } from '@blueprintjs/core';
import { ColumnLayout, Plus, Refresh, Satellite, Search } from '@blueprintjs/icons';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { ColumnDialog, useColumns } from '../../../shared/components/column-dialog.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { useAddressPaging } from '../../../shared/hooks/use-paging.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { readLocal, writeLocal } from '../../../shared/local-values.ts';
import { channelAdd, paths } from '../../../shared/paths.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { useChannels, useUpdateChannel } from '../api/channels.ts';
import { AllBar, BatchBar } from '../components/batch-bar.tsx';
import { channelColumnKeys, channelColumns } from '../components/channel-columns.tsx';
import { ChannelDrawer, type DrawerTarget } from '../components/channel-drawer.tsx';
import { idsOf, keyOf, plainEntries, tagEntries } from '../components/channel-entries.ts';
import { ChannelSearchBar } from '../components/channel-search.tsx';
import { type Round, RoundProgress } from '../components/round-progress.tsx';
import { TagDrawer } from '../components/tag-drawer.tsx';

/** What the address holds, so that a view can be shared and reloaded. */
const defaults = { keyword: '', model: '', group: '', tags: '', p: '1' };
const allColumns = Object.fromEntries(channelColumnKeys.map((key) => [key, true]));

/** The address says whether the drawer is open, so that it can be linked to. */
const useDrawerTarget = (): DrawerTarget => {
  const { pathname } = useLocation();
  const { channelId } = useParams();
  if (pathname === channelAdd) return 'new';
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

const useOpenTags = () => {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (tag: string) => {
    const next = new Set(open);
    if (!next.delete(tag)) next.add(tag);
    setOpen(next);
  };
  return [open, toggle] as const;
};

type Why = Readonly<{ isSearching: boolean; isTagMode: boolean; action: ReactElement }>;

const NoChannels = ({ isSearching, isTagMode, action }: Why) => {
  const { t } = useTranslation('channel');
  if (isSearching) return <EmptyState icon={<Search size={36} />} title={t('nothing-found')} />;
  const [name, icon] = isTagMode
    ? (['no-tags', <Search key="icon" size={36} />] as const)
    : (['empty', <Satellite key="icon" size={36} />] as const);
  return (
    <EmptyState
      icon={icon}
      title={t(name)}
      hint={t(`${name}-hint`)}
      {...(!isTagMode && { action })}
    />
  );
};

export const Channels = () => {
  const { t } = useTranslation(['channel', 'common']);
  const navigate = useNavigate();
  const display = useQuotaDisplay();
  const target = useDrawerTarget();
  const update = useUpdateChannel();
  const [{ p, tags, ...search }, changeView] = useUrlFilters(defaults);
  const paging = useAddressPaging(p, changeView);
  const { page, pageSize } = paging;
  const isTagMode = tags === '1';
  const [openTags, toggleTag] = useOpenTags();
  const [editedTag, setEditedTag] = useState<string | null>(null);
  const [round, setRound] = useState<Round | null>(null);
  const { search: query } = useLocation();
  const [idSort, setIdSort] = useIdSort();
  const [shown, setShown] = useColumns('channels-table-columns', allColumns);
  const [isBatch, setBatch] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set());
  const [isChoosing, setChoosing] = useState(false);
  const channels = useChannels({ ...search, page, pageSize, idSort, tagMode: isTagMode });
  const rows = channels.data?.items;
  const entries = rows && (isTagMode ? tagEntries(rows, openTags) : plainEntries(rows));
  const isSearching = Object.values(search).some((value) => value !== '');
  const add = (
    <Button
      intent="primary"
      icon={<Plus />}
      text={t('add')}
      onClick={() => void navigate({ pathname: channelAdd, search: query })}
    />
  );

  return (
    <Page title={t('title')} lead={t('lead')} actions={add}>
      <section className="panel">
        <ChannelSearchBar
          key={JSON.stringify(search)}
          search={search}
          onSearch={(next) => changeView({ ...next, p: '1' })}
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
          <Switch
            checked={isTagMode}
            label={t('tag-mode')}
            onChange={(event) => {
              changeView({ tags: event.currentTarget.checked ? '1' : '', p: '1' });
              setSelected(new Set());
            }}
          />
          {isBatch && (
            <BatchBar ids={idsOf(rows ?? [], selected)} onDone={() => setSelected(new Set())} />
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
        <div className="toolbar is-second">
          <AllBar onRound={setRound} />
        </div>
        {round && (
          <RoundProgress
            key={`${round.kind} ${round.startedAt}`}
            round={round}
            onEnd={() => setRound(null)}
          />
        )}
        <ListView
          query={channels}
          paging={paging}
          total={channels.data?.total}
          {...(isTagMode && rows && { counted: new Set(rows.map(({ tag }) => tag)).size })}
          label={t('title')}
          columns={channelColumns(
            {
              t,
              display,
              onNumber: (id, change) => update.mutate({ id, ...change }),
              onTagToggle: toggleTag,
              onTagEdit: setEditedTag,
            },
            (key) => shown[key] === true,
          )}
          rows={entries}
          rowKey={keyOf}
          isMuted={(entry) => entry.kind === 'channel' && entry.channel.status !== 1}
          isChild={(entry) => entry.kind === 'channel' && entry.isChild}
          {...(isBatch && { selection: { keys: selected, onChange: setSelected } })}
          empty={<NoChannels isSearching={isSearching} isTagMode={isTagMode} action={add} />}
        />
      </section>
      <ChannelDrawer
        target={target}
        onClose={() => void navigate({ pathname: paths.channel, search: query })}
      />
      {editedTag !== null && (
        <TagDrawer key={editedTag} tag={editedTag} onClose={() => setEditedTag(null)} />
      )}
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
