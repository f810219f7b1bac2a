import { useTranslation } from 'react-i18next';
import { tokenStates } from '../../../../projections/contract/codes.ts';
import { DeleteButton, EditButton, SwitchButton } from '../../../shared/components/row-buttons.tsx';
import { toast } from '../../../shared/toast.ts';
import { type TokenRow, useDeleteToken, useSetTokenStatus } from '../api/tokens.ts';
import { ChatButton } from './chat-button.tsx';

type Props = Readonly<{ token: TokenRow; onEdit: () => void }>;

export const TokenActions = ({ token, onEdit }: Props) => {
  const { t } = useTranslation(['token', 'common']);
  const setStatus = useSetTokenStatus();
  const remove = useDeleteToken();
  const done = { onSuccess: () => toast('success', t('common:done')) };
  return (
    <div className="row-actions">
      <ChatButton token={token} />
      <SwitchButton
        isOn={token.status === tokenStates.enabled}
        isSending={setStatus.isPending}
        onChange={(isOn) => setStatus.mutate({ id: token.id, isOn }, done)}
      />
      <EditButton onClick={onEdit} />
      <DeleteButton
        question={t('delete-question')}
        isSending={remove.isPending}
        onConfirm={() => remove.mutate(token.id, done)}
      />
    </div>
  );
};
