import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { People, Plus, Search } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { Filters } from '../../../shared/components/filters.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { Pager } from '../../../shared/components/pager.tsx';
import { usePageSize } from '../../../shared/hooks/use-page-size.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { paths, userEdit } from '../../../shared/paths.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { useAllGroups, useUsers } from '../api/users.ts';
import { userColumns } from '../components/user-columns.tsx';
import { type DrawerTarget, UserDrawer } from '../components/user-drawer.tsx';

export const Users = () => {
  const { t } = useTranslation(['user', 'common']);
  const display = useQuotaDisplay();
  const [{ p, keyword, group }, change] = useUrlFilters({ p: '1', keyword: '', group: '' });
  const navigate = useNavigate();
  const { search } = useLocation();
  const { userId } = useParams();
  const groups = useAllGroups().data ?? [];
  const [draft, setDraft] = useState(keyword);
  const [isAdding, setAdding] = useState(false);
  const target: DrawerTarget = userId === undefined ? (isAdding ? 'new' : null) : Number(userId);
  const [pageSize, setPageSize] = usePageSize();
  const page = Math.max(1, Number(p) || 1);
  const users = useUsers({ page, pageSize, keyword, group });
  const rows = users.data?.items;
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <Button intent="primary" icon={<Plus />} text={t('add')} onClick={() => setAdding(true)} />
      }
    >
      <section className="panel">
        <Filters
          active={Number(keyword !== '') + Number(group !== '')}
          onSubmit={() => change({ keyword: draft.trim(), p: '1' })}
        >
          <Field label={t('keyword')}>
            {(id) => (
              <InputGroup
                id={id}
                type="search"
                value={draft}
                placeholder={t('keyword-hint')}
                onValueChange={setDraft}
              />
            )}
          </Field>
          <Field label={t('column.group')}>
            {(id) => (
              <HTMLSelect
                id={id}
                value={group}
                onChange={(event) =>
                  change({ group: event.currentTarget.value, keyword: draft.trim(), p: '1' })
                }
              >
                <option value="">{t('all-groups')}</option>
                {groups.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </HTMLSelect>
            )}
          </Field>
          <Button type="submit" icon={<Search />} text={t('common:search')} />
        </Filters>
        {users.isError && !users.data ? (
          <LoadFailed error={users.error} onRetry={() => void users.refetch()} />
        ) : (
          <DataTable
            label={t('title')}
            columns={userColumns({
              t,
              display,
              onEdit: (id) => void navigate({ pathname: userEdit(id), search }),
            })}
            rows={rows}
            rowKey={({ id }) => id}
            isBusy={users.isFetching && !users.isPending}
            isMuted={({ status, DeletedAt }) => status !== 1 || DeletedAt !== null}
            empty={<EmptyState icon={<People size={36} />} title={t('nothing-found')} />}
          />
        )}
        {rows && (users.data?.total ?? 0) > 0 && (
          <Pager
            page={page}
            pageSize={pageSize}
            shown={rows.length}
            total={users.data?.total ?? null}
            onPage={(next) => change({ p: String(next) })}
            onPageSize={(size) => {
              setPageSize(size);
              change({ p: '1' });
            }}
          />
        )}
      </section>
      <UserDrawer
        target={target}
        onClose={() => {
          setAdding(false);
          if (userId !== undefined) void navigate({ pathname: paths.user, search });
        }}
      />
    </Page>
  );
};
