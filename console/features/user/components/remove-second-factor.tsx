import { Button } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { toast } from '../../../shared/toast.ts';
import { type UserRow, useManageUser } from '../api/users.ts';

type Props = Readonly<{ user: Pick<UserRow, 'id' | 'username'> }>;

/** For users who have lost the device. The reason is part of the audit trail. */
export const RemoveSecondFactor = ({ user }: Props) => {
  const { t } = useTranslation('user');
  const manage = useManageUser();
  const remove = (reason: string) =>
    manage.mutate(
      { id: user.id, action: 'remove_second_factors', reason },
      { onSuccess: () => toast('success', t('factor-removed')) },
    );
  return (
    <>
      <h2 className="form-section">{t('factor')}</h2>
      <ConfirmPopover
        title={t('factor-remove-question', { name: user.username })}
        hint={t('factor-remove-hint')}
        reasonLabel={t('factor-reason')}
        isReasonRequired
        onConfirm={remove}
      >
        <Button text={t('factor-remove')} loading={manage.isPending} />
      </ConfirmPopover>
    </>
  );
};
