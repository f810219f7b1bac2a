import { Button } from '@blueprintjs/core';
import { Edit, Trash } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { toast } from '../../../shared/toast.ts';
import { type TokenRow, useDeleteToken, useSetTokenStatus } from '../api/tokens.ts';
import { ChatButton } from './chat-button.tsx';

type Props = Readonly<{ token: TokenRow; onEdit: () => void }>;

export const TokenActions = ({ token, onEdit }: Props) => {
  const { t } = useTranslation(['token', 'common']);
  const setStatus = useSetTokenStatus();
  const remove = useDeleteToken();
  const isEnabled = token.status === 1;
  const done = { onSuccess: () => toast('success', t('common:done')) };
  return (
    <div className="row-actions">
      <ChatButton token={token} />
      <Button
        variant="minimal"
        size="small"
        text={isEnabled ? t('common:disable') : t('common:enable')}
        loading={setStatus.isPending}
        onClick={() => setStatus.mutate({ id: token.id, status: isEnabled ? 2 : 1 }, done)}
      />
      <Button
        variant="minimal"
        size="small"
        icon={<Edit />}
        aria-label={t('common:edit')}
        title={t('common:edit')}
        onClick={onEdit}
      />
      <ConfirmPopover title={t('delete-question')} onConfirm={() => remove.mutate(token.id, done)}>
        <Button
          variant="minimal"
          size="small"
          intent="danger"
          icon={<Trash />}
          aria-label={t('common:delete')}
          title={t('common:delete')}
          loading={remove.isPending}
        />
      </ConfirmPopover>
    </div>
  );
};
