import type { TFunction } from 'i18next';
import { roles, userStates } from '../../../../projections/contract/codes.ts';
import type { Column } from '../../../shared/components/columns.ts';
import { GroupTags } from '../../../shared/components/group-tags.tsx';
import { Money } from '../../../shared/components/money.tsx';
import { StatusDot } from '../../../shared/components/status-dot.tsx';
import { formatQuota, formatUnits, type QuotaDisplay } from '../../../shared/format/quota.ts';
import type { UserRow } from '../api/users.ts';
import { UserActions } from './user-actions.tsx';

type Translate = TFunction<'user'>;

const roleText = (role: number, t: Translate): string => {
  if (role === roles.user) return t('role.1');
  if (role === roles.admin) return t('role.10');
  return role === roles.root ? t('role.100') : t('role.unknown');
};

const Status = ({ user, t }: Readonly<{ user: UserRow; t: Translate }>) => {
  if (user.DeletedAt !== null) return <StatusDot tone="bad">{t('status.deleted')}</StatusDot>;
  if (user.status === userStates.active) return <StatusDot tone="good">{t('status.1')}</StatusDot>;
  if (user.status === userStates.banned) return <StatusDot tone="bad">{t('status.2')}</StatusDot>;
  return <StatusDot tone="idle">{t('status.unknown')}</StatusDot>;
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
  { key: 'id', title: t('column.id'), width: 56, render: ({ id }) => id },
  {
    key: 'name',
    title: t('column.name'),
    card: 'title',
    render: ({ username, display_name }) => (
      <>
        <strong>{username}</strong>
        {display_name !== username && <span className="muted"> {display_name}</span>}
      </>
    ),
  },
  {
    key: 'group',
    title: t('column.group'),
    width: 104,
    card: 'line',
    render: ({ group }) => <GroupTags groups={group} />,
  },
  {
    key: 'role',
    title: t('column.role'),
    width: 104,
    render: ({ role }) => roleText(role, t),
  },
  {
    key: 'status',
    title: t('column.status'),
    width: 128,
    card: 'line',
    render: (user) => (
      <>
        <Status user={user} t={t} />
        {user.second_factor && <span className="muted"> {t('factor')}</span>}
      </>
    ),
  },
  {
    key: 'invitations',
    title: t('column.invitations'),
    width: 108,
    render: ({ aff_count, aff_history_quota, inviter_id }) => {
      const inviter = t('inviter', { id: inviter_id ? String(inviter_id) : t('nobody') });
      const earned = t('earned', { amount: formatQuota(aff_history_quota, display) });
      return (
        <span title={`${earned} · ${inviter}`}>{t('invited', { count: aff_count ?? 0 })}</span>
      );
    },
  },
  {
    key: 'requests',
    title: t('column.requests'),
    width: 90,
    isNumber: true,
    render: ({ request_count }) => formatUnits(request_count),
  },
  {
    key: 'used',
    title: t('column.used'),
    width: 96,
    isNumber: true,
    render: ({ used_quota }) => <Money units={used_quota} isShort />,
  },
  {
    key: 'balance',
    title: t('column.balance'),
    width: 104,
    isNumber: true,
    card: 'figure',
    render: ({ quota }) => (
      <span className="cell-figure">
        <Money units={quota} isShort />
      </span>
    ),
  },
  {
    key: 'actions',
    title: t('column.actions'),
    width: 72,
    isWide: true,
    card: 'aside',
    render: (user) => <UserActions user={user} onEdit={onEdit} />,
  },
];
