import type { TFunction } from 'i18next';
import { roles, userStates } from '../../../../projections/contract/codes.ts';
import { Avatar } from '../../../shared/components/avatar.tsx';
import type { Column } from '../../../shared/components/data-table.tsx';
import { GroupTags } from '../../../shared/components/group-tags.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { formatQuota, formatUnits, type QuotaDisplay } from '../../../shared/format/quota.ts';
import type { UserRow } from '../api/users.ts';
import { UserActions } from './user-actions.tsx';

type Translate = TFunction<'user'>;

const Role = ({ role, t }: Readonly<{ role: number; t: Translate }>) => {
  if (role === roles.user) return <ToneTag colour="blue">{t('role.1')}</ToneTag>;
  if (role === roles.admin) return <ToneTag colour="yellow">{t('role.10')}</ToneTag>;
  if (role === roles.root) return <ToneTag colour="orange">{t('role.100')}</ToneTag>;
  return <ToneTag colour="red">{t('role.unknown')}</ToneTag>;
};

const Status = ({ user, t }: Readonly<{ user: UserRow; t: Translate }>) => {
  if (user.DeletedAt !== null) return <ToneTag colour="red">{t('status.deleted')}</ToneTag>;
  if (user.status === userStates.active) return <ToneTag colour="green">{t('status.1')}</ToneTag>;
  if (user.status === userStates.banned) return <ToneTag colour="red">{t('status.2')}</ToneTag>;
  return <ToneTag colour="grey">{t('status.unknown')}</ToneTag>;
};

export const userColumns = ({
  t,
  display,
  onEdit,
}: Readonly<{
  t: Translate;
  display: QuotaDisplay;
  onEdit: (userId: number) => void;
}>): readonly Column<UserRow>[] => [
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
  {
    key: 'invitations',
    title: t('column.invitations'),
    render: ({ aff_count, aff_history_quota, inviter_id }) => (
      <span className="lines">
        <small>{t('invited', { count: aff_count ?? 0 })}</small>
        <small>{t('earned', { amount: formatQuota(aff_history_quota, display) })}</small>
        <small>{t('inviter', { id: inviter_id ? String(inviter_id) : t('nobody') })}</small>
      </span>
    ),
  },
  { key: 'role', title: t('column.role'), render: ({ role }) => <Role role={role} t={t} /> },
  {
    key: 'status',
    title: t('column.status'),
    render: (user) => (
      <span className="lines">
        <Status user={user} t={t} />
        {user.second_factor && <small className="subtle">{t('factor')}</small>}
      </span>
    ),
  },
  {
    key: 'actions',
    title: t('column.actions'),
    isWide: true,
    render: (user) => <UserActions user={user} onEdit={onEdit} />,
  },
];
