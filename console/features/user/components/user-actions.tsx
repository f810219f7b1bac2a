import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { roles, userStates } from '../../../../projections/contract/codes.ts';
import { type RowAction, RowMenu } from '../../../shared/components/row-menu.tsx';
import { ledgerOf } from '../../../shared/paths.ts';
import { toast } from '../../../shared/toast.ts';
import { type UserAction, type UserRow, useManageUser } from '../api/users.ts';

type Props = Readonly<{ user: UserRow; onEdit: (userId: number) => void }>;

/** A deleted user keeps a ledger and nothing else. */
export const UserActions = ({ user, onEdit }: Props) => {
  const { t } = useTranslation(['user', 'common']);
  const navigate = useNavigate();
  const manage = useManageUser();
  const act = (action: UserAction, reason = '') => {
    const why = reason === '' ? {} : { reason };
    const done = () => toast('success', t('common:done'));
    manage.mutate({ id: user.id, action, ...why }, { onSuccess: done });
  };
  const asking = (
    action: 'promote' | 'demote' | 'disable' | 'delete',
    isDisabled = false,
  ): RowAction => ({
    text: t(`action.${action}`),
    isDisabled,
    isDanger: action === 'delete',
    question: {
      title: t(`${action}-question`, { name: user.username }),
      hint: t(`${action}-hint`),
      reasonLabel: t('reason-optional'),
      onConfirm: (reason) => act(action, reason),
    },
  });
  const openLedger = { text: t('ledger'), onClick: () => void navigate(ledgerOf(user.id)) };
  const isRoot = user.role === roles.root;
  const enabling: RowAction = {
    text: t('common:enable'),
    isDisabled: user.status === 3,
    onClick: () => act('enable'),
  };
  const actions: readonly RowAction[] =
    user.DeletedAt !== null
      ? [openLedger]
      : [
          { text: t('common:edit'), onClick: () => onEdit(user.id) },
          openLedger,
          user.role < roles.admin ? asking('promote') : asking('demote', isRoot),
          user.status === userStates.active ? asking('disable', isRoot) : enabling,
          asking('delete', isRoot),
        ];
  return (
    <div className="row-actions">
      <RowMenu name={user.username} isSending={manage.isPending} actions={actions} />
    </div>
  );
};
