import { Button } from '@blueprintjs/core';
import { People, Plus } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { useColumnChoice } from '../../../shared/components/column-dialog.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ListToolbar } from '../../../shared/components/list-toolbar.tsx';
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
  const onEdit = (id: number) => void navigate({ pathname: userEdit(id), search });
  const choice = useColumnChoice('users-table-columns', userColumns({ t, display, onEdit }));
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
        <ListToolbar
          fields={[
            {
              name: 'group',
              label: t('column.group'),
              kind: 'choice',
              choices: groups.map((name) => ({ value: name, label: name })),
            },
          ]}
          filters={{ keyword, group }}
          none={{ keyword: '', group: '' }}
          search={{ name: 'keyword', label: t('keyword'), hint: t('keyword-hint') }}
          onApply={(next) => change({ ...next, p: '1' })}
          end={choice.button}
        />
        <ListView
          query={users}
          paging={paging}
          total={users.data?.total}
          label={t('title')}
          columns={choice.columns}
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
