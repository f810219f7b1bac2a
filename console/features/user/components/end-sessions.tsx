import { Button } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { toast } from '../../../shared/toast.ts';
import { type UserRow, useManageUser } from '../api/users.ts';

/** Logs a user out on every device: their cookie may be in other hands. */
export const EndSessions = ({ user }: Readonly<{ user: Pick<UserRow, 'id' | 'username'> }>) => {
  const { t } = useTranslation(['user', 'common']);
  const manage = useManageUser();
  const end = () =>
    manage.mutate(
      { id: user.id, action: 'end_sessions' },
      { onSuccess: () => toast('success', t('sessions-ended')) },
    );
  return (
    <>
      <h2 className="form-section">{t('sessions')}</h2>
      <ConfirmPopover
        title={t('end-sessions-question', { name: user.username })}
        hint={t('end-sessions-hint')}
        onConfirm={end}
      >
        <Button text={t('end-sessions')} loading={manage.isPending} />
      </ConfirmPopover>
    </>
  );
};
