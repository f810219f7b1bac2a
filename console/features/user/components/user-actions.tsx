import { Button } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { roles, userStates } from '../../../../projections/contract/codes.ts';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { EditButton } from '../../../shared/components/row-buttons.tsx';
import { ledgerOf } from '../../../shared/paths.ts';
import { toast } from '../../../shared/toast.ts';
import { type UserAction, type UserRow, useManageUser } from '../api/users.ts';

type Props = Readonly<{ user: UserRow; onEdit: (userId: number) => void }>;

const small = { variant: 'minimal', size: 'small' } as const;

/** A deleted user keeps a ledger and nothing else. */
export const UserActions = ({ user, onEdit }: Props) => {
  const { t } = useTranslation(['user', 'common']);
  const manage = useManageUser();
  const act = (action: UserAction, reason = '') => {
    const why = reason === '' ? {} : { reason };
    const done = () => toast('success', t('common:done'));
    manage.mutate({ id: user.id, action, ...why }, { onSuccess: done });
  };
  const asking = (action: 'promote' | 'demote' | 'disable' | 'delete', isDisabled = false) => (
    <ConfirmPopover
      title={t(`${action}-question`, { name: user.username })}
      hint={t(`${action}-hint`)}
      reasonLabel={t('reason-optional')}
      onConfirm={(reason) => act(action, reason)}
    >
      <Button
        {...small}
        text={t(`action.${action}`)}
        disabled={isDisabled}
        loading={manage.isPending && manage.variables.action === action}
        {...(action === 'delete' && { intent: 'danger' })}
      />
    </ConfirmPopover>
  );
  const ledger = (
    <Link className="bp6-button bp6-minimal bp6-small" to={ledgerOf(user.id)}>
      {t('ledger')}
    </Link>
  );
  if (user.DeletedAt !== null) return <div className="row-actions">{ledger}</div>;
  const isRoot = user.role === roles.root;
  return (
    <div className="row-actions">
      {ledger}
      <EditButton onClick={() => onEdit(user.id)} />
      {user.role < roles.admin ? asking('promote') : asking('demote', isRoot)}
      {user.status === userStates.active ? (
        asking('disable', isRoot)
      ) : (
        <Button
          {...small}
          text={t('common:enable')}
          disabled={user.status === 3}
          onClick={() => act('enable')}
        />
      )}
      {asking('delete', isRoot)}
    </div>
  );
};
