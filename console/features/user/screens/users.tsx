import { Button, HTMLSelect } from '@blueprintjs/core';
import { People, Plus } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { KeywordFilters } from '../../../shared/components/keyword-filters.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { useAddressPaging } from '../../../shared/hooks/use-paging.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { paths, userEdit } from '../../../shared/paths.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { useAllGroups, useUsers } from '../api/users.ts';
import { userColumns } from '../components/user-columns.tsx';
import { type DrawerTarget, UserDrawer } from '../components/user-drawer.tsx';

export const Users = () => {
  const { t } = useTranslation('user');
  const display = useQuotaDisplay();
  const [{ p, keyword, group }, change] = useUrlFilters({ p: '1', keyword: '', group: '' });
  const navigate = useNavigate();
  const { search } = useLocation();
  const { userId } = useParams();
  const groups = useAllGroups().data ?? [];
  const [isAdding, setAdding] = useState(false);
  const target: DrawerTarget = userId === undefined ? (isAdding ? 'new' : null) : Number(userId);
  const paging = useAddressPaging(p, change);
  const { page, pageSize } = paging;
  const users = useUsers({ page, pageSize, keyword, group });
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <Button intent="primary" icon={<Plus />} text={t('add')} onClick={() => setAdding(true)} />
      }
    >
      <section className="panel">
        <KeywordFilters
          label={t('keyword')}
          hint={t('keyword-hint')}
          keyword={keyword}
          others={Number(group !== '')}
          onSearch={(typed) => change({ keyword: typed, p: '1' })}
        >
          {(typed) => (
            <Field label={t('column.group')}>
              {(id) => (
                <HTMLSelect
                  id={id}
                  value={group}
                  onChange={(event) =>
                    change({ group: event.currentTarget.value, keyword: typed, p: '1' })
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
          )}
        </KeywordFilters>
        <ListView
          query={users}
          paging={paging}
          total={users.data?.total}
          label={t('title')}
          columns={userColumns({
            t,
            display,
            onEdit: (id) => void navigate({ pathname: userEdit(id), search }),
          })}
          rows={users.data?.items}
          rowKey={({ id }) => id}
          isMuted={({ status, DeletedAt }) => status !== 1 || DeletedAt !== null}
          empty={<EmptyState icon={<People size={36} />} title={t('nothing-found')} />}
        />
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
