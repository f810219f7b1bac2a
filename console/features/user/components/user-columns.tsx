import { Button } from '@blueprintjs/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Avatar } from '../../../shared/components/avatar.tsx';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import type { Column } from '../../../shared/components/data-table.tsx';
import { GroupTags } from '../../../shared/components/group-tags.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { formatQuota, formatUnits, type QuotaDisplay } from '../../../shared/format/quota.ts';
import { ledgerOf } from '../../../shared/paths.ts';
import { rootRole } from '../../../shared/session.ts';
import { toast } from '../../../shared/toast.ts';
import { type UserRow, useManageUser } from '../api/users.ts';

type Translate = TFunction<'user'>;

const Role = ({ role, t }: Readonly<{ role: number; t: Translate }>) => {
  if (role === 1) return <ToneTag colour="blue">{t('role.1')}</ToneTag>;
  if (role === 10) return <ToneTag colour="yellow">{t('role.10')}</ToneTag>;
  if (role === rootRole) return <ToneTag colour="orange">{t('role.100')}</ToneTag>;
  return <ToneTag colour="red">{t('role.unknown')}</ToneTag>;
};

const Status = ({ user, t }: Readonly<{ user: UserRow; t: Translate }>) => {
  if (user.DeletedAt !== null) return <ToneTag colour="red">{t('status.deleted')}</ToneTag>;
  if (user.status === 1) return <ToneTag colour="green">{t('status.1')}</ToneTag>;
  if (user.status === 2) return <ToneTag colour="red">{t('status.2')}</ToneTag>;
  return <ToneTag colour="grey">{t('status.unknown')}</ToneTag>;
};

const Actions = ({ user }: Readonly<{ user: UserRow }>) => {
  const { t } = useTranslation(['user', 'common']);
  const manage = useManageUser();
  if (user.DeletedAt !== null) return null;
  const done = { onSuccess: () => toast('success', t('common:done')) };
  return (
    <div className="row-actions">
      <Link className="bp6-button bp6-minimal bp6-small" to={ledgerOf(user.id)}>
        {t('ledger')}
      </Link>
      {user.status === 1 ? (
        <ConfirmPopover
          title={t('disable-question', { name: user.username })}
          hint={t('disable-hint')}
          onConfirm={() => manage.mutate({ id: user.id, action: 'disable' }, done)}
        >
          <Button
            variant="minimal"
            size="small"
            text={t('common:disable')}
            loading={manage.isPending}
          />
        </ConfirmPopover>
      ) : (
        <Button
          variant="minimal"
          size="small"
          text={t('common:enable')}
          disabled={user.status === 3}
          loading={manage.isPending}
          onClick={() => manage.mutate({ id: user.id, action: 'enable' }, done)}
        />
      )}
    </div>
  );
};

export const userColumns = (t: Translate, display: QuotaDisplay): readonly Column<UserRow>[] => [
  { key: 'id', title: t('column.id'), render: ({ id }) => id },
  {
    key: 'name',
    title: t('column.name'),
    render: ({ username, display_name }) => (
      <span className="user-cell">
        <Avatar name={username} />
        <span>
          <strong>{username}</strong>
          {display_name !== username && <small className="subtle">{display_name}</small>}
        </span>
      </span>
    ),
  },
  { key: 'group', title: t('column.group'), render: ({ group }) => <GroupTags groups={group} /> },
  {
    key: 'balance',
    title: t('column.balance'),
    isNumber: true,
    render: ({ quota }) => formatQuota(quota, display),
  },
  {
    key: 'used',
    title: t('column.used'),
    isNumber: true,
    render: ({ used_quota }) => formatQuota(used_quota, display),
  },
  {
    key: 'requests',
    title: t('column.requests'),
    isNumber: true,
    render: ({ request_count }) => formatUnits(request_count),
  },
  { key: 'role', title: t('column.role'), render: ({ role }) => <Role role={role} t={t} /> },
  { key: 'status', title: t('column.status'), render: (user) => <Status user={user} t={t} /> },
  {
    key: 'actions',
    title: t('column.actions'),
    isWide: true,
    render: (user) => <Actions user={user} />,
  },
];
