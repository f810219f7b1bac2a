import { Button, Switch } from '@blueprintjs/core';
import { Plus, Refresh, Satellite, Search } from '@blueprintjs/icons';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { useColumnChoice } from '../../../shared/components/column-dialog.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ListToolbar } from '../../../shared/components/list-toolbar.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { SelectionBar } from '../../../shared/components/selection-bar.tsx';
import { useAddressPaging } from '../../../shared/hooks/use-paging.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { readLocal, writeLocal } from '../../../shared/local-values.ts';
import { channelAdd, paths } from '../../../shared/paths.ts';
import { useChangeChannelRow, useChannels, useGroups } from '../api/channels.ts';
import { AllMenu, BatchBar } from '../components/batch-bar.tsx';
import { channelColumns, hiddenColumns } from '../components/channel-columns.tsx';
import { ChannelDrawer, type DrawerTarget } from '../components/channel-drawer.tsx';
import { idsOf, keyOf, plainEntries, tagEntries } from '../components/channel-entries.ts';
import { type Round, RoundProgress } from '../components/round-progress.tsx';
import { TagDrawer } from '../components/tag-drawer.tsx';

/** What the address holds, so that a view can be shared and reloaded. */
const noSearch = { keyword: '', model: '', group: '' };
const defaults = { ...noSearch, tags: '', p: '1' };

/** The address contains whether the drawer is open, so that it can be linked to. */
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
  const target = useDrawerTarget();
  const update = useChangeChannelRow();
  const [{ p, tags, ...search }, changeView] = useUrlFilters(defaults);
  const paging = useAddressPaging(p, changeView);
  const { page, pageSize } = paging;
  const isTagMode = tags === '1';
  const [openTags, toggleTag] = useOpenTags();
  const [editedTag, setEditedTag] = useState<string | null>(null);
  const [round, setRound] = useState<Round | null>(null);
  const { search: query } = useLocation();
  const [idSort, setIdSort] = useIdSort();
  const choice = useColumnChoice(
    'channels-table-columns',
    channelColumns({
      t,
      onNumber: (id, change) => update.mutate({ id, ...change }),
      onTagToggle: toggleTag,
      onTagEdit: setEditedTag,
    }),
    hiddenColumns,
  );
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set());
  const clear = () => setSelected(new Set());
  const groups = useGroups().data ?? [];
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
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <AllMenu onRound={setRound} />
          {add}
        </>
      }
    >
      <section className="panel">
        <ListToolbar
          fields={[
            { name: 'model', label: t('search.model'), kind: 'text' },
            {
              name: 'group',
              label: t('search.group'),
              kind: 'choice',
              choices: groups.map((name) => ({ value: name, label: name })),
            },
          ]}
          filters={search}
          none={noSearch}
          search={{ name: 'keyword', label: t('search.keyword'), hint: t('search-hint.keyword') }}
          onApply={(next) => changeView({ ...next, p: '1' })}
          end={
            <>
              <Button
                icon={<Refresh />}
                aria-label={t('common:refresh')}
                title={t('common:refresh')}
                onClick={() => void channels.refetch()}
              />
              {choice.button}
            </>
          }
        >
          <Switch
            checked={idSort}
            label={t('id-sort')}
            onChange={(event) => setIdSort(event.currentTarget.checked)}
          />
          <Switch
            checked={isTagMode}
            label={t('tag-mode')}
            onChange={(event) => {
              changeView({ tags: event.currentTarget.checked ? '1' : '', p: '1' });
              clear();
            }}
          />
        </ListToolbar>
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
          columns={choice.columns}
          rows={entries}
          rowKey={keyOf}
          isMuted={(entry) => entry.kind === 'channel' && entry.channel.status !== 1}
          isChild={(entry) => entry.kind === 'channel' && entry.isChild}
          selection={{ keys: selected, onChange: setSelected }}
          empty={<NoChannels isSearching={isSearching} isTagMode={isTagMode} action={add} />}
        />
      </section>
      <SelectionBar count={selected.size} onClear={clear}>
        <BatchBar ids={idsOf(rows ?? [], selected)} onDone={clear} />
      </SelectionBar>
      <ChannelDrawer
        target={target}
        onClose={() => void navigate({ pathname: paths.channel, search: query })}
      />
      {editedTag !== null && (
        <TagDrawer key={editedTag} tag={editedTag} onClose={() => setEditedTag(null)} />
      )}
    </Page>
  );
};
