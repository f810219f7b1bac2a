import { Button, Callout, InputGroup } from '@blueprintjs/core';
import { Clipboard, Key, Plus, Search } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../../shared/clipboard.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { Filters } from '../../../shared/components/filters.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { useAddressPaging } from '../../../shared/hooks/use-paging.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import { type TokenSearch, useTokens } from '../api/tokens.ts';
import { tokenColumns } from '../components/token-columns.tsx';
import { type DrawerTarget, TokenDrawer } from '../components/token-drawer.tsx';

/** What the address holds. A key is no part of it: addresses end up in logs. */
const defaults = { keyword: '', p: '1' };

type SearchProps = Readonly<{ initial: TokenSearch; onSearch: (search: TokenSearch) => void }>;

const SearchBar = ({ initial, onSearch }: SearchProps) => {
  const { t } = useTranslation(['token', 'common']);
  const [search, setSearch] = useState(initial);
  const field = (name: keyof TokenSearch) => (
    <Field label={t(`search-${name}`)}>
      {(id) => (
        <InputGroup
          id={id}
          type="search"
          value={search[name]}
          onValueChange={(value) => setSearch({ ...search, [name]: value })}
        />
      )}
    </Field>
  );
  return (
    <Filters
      active={Object.values(search).filter((value) => value !== '').length}
      onSubmit={() => onSearch({ keyword: search.keyword.trim(), token: search.token.trim() })}
    >
      {field('keyword')}
      {field('token')}
      <Button type="submit" icon={<Search />} text={t('common:search')} />
    </Filters>
  );
};

export const Tokens = () => {
  const { t } = useTranslation('token');
  const display = useQuotaDisplay();
  const copy = useCopy();
  const [{ keyword, p }, change] = useUrlFilters(defaults);
  const paging = useAddressPaging(p, change);
  const [key, setKey] = useState('');
  const search: TokenSearch = { keyword, token: key };
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set());
  const [target, setTarget] = useState<DrawerTarget>(null);
  const tokens = useTokens(paging.page, paging.pageSize, search);
  const rows = tokens.data?.items;

  const copySelected = () => {
    const chosen = (rows ?? []).filter(({ id }) => selected.has(id));
    if (chosen.length === 0) {
      toast('error', t('none-selected'));
      return;
    }
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
          <Button icon={<Clipboard />} text={t('copy-selected')} onClick={copySelected} />
          {add}
        </>
      }
    >
      <Callout compact intent="warning">
        {t('warning')}
      </Callout>
      <section className="panel">
        <SearchBar
          key={keyword}
          initial={search}
          onSearch={(next) => {
            setKey(next.token);
            change({ keyword: next.keyword, p: '1' });
          }}
        />
        <ListView
          query={tokens}
          paging={paging}
          total={tokens.data?.total}
          label={t('title')}
          columns={tokenColumns({ t, display, onEdit: setTarget })}
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
      <TokenDrawer target={target} onClose={() => setTarget(null)} />
    </Page>
  );
};
