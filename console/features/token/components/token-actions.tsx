import { Code, Disable, Edit, Tick, Trash } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { tokenStates } from '../../../../projections/contract/codes.ts';
import { RowMenu } from '../../../shared/components/row-menu.tsx';
import { toast } from '../../../shared/toast.ts';
import { type TokenRow, useDeleteToken, useSetTokenStatus } from '../api/tokens.ts';
import { ChatButton } from './chat-button.tsx';

type Props = Readonly<{ token: TokenRow; onEdit: () => void; onConnect: () => void }>;

export const TokenActions = ({ token, onEdit, onConnect }: Props) => {
  const { t } = useTranslation(['token', 'common', 'connect']);
  const setStatus = useSetTokenStatus();
  const remove = useDeleteToken();
  const done = { onSuccess: () => toast('success', t('common:done')) };
  const isOn = token.status === tokenStates.enabled;
  return (
    <div className="row-actions">
      <ChatButton token={token} />
      <RowMenu
        name={token.name}
        isSending={setStatus.isPending || remove.isPending}
        actions={[
          { text: t('common:edit'), icon: <Edit />, onClick: onEdit },
          { text: t('connect:title'), icon: <Code />, isDisabled: !isOn, onClick: onConnect },
          {
            text: isOn ? t('common:disable') : t('common:enable'),
            icon: isOn ? <Disable /> : <Tick />,
            onClick: () => setStatus.mutate({ id: token.id, isOn: !isOn }, done),
          },
          {
            text: t('common:delete'),
            icon: <Trash />,
            isDanger: true,
            question: {
              title: t('delete-question'),
              onConfirm: () => remove.mutate(token.id, done),
            },
          },
        ]}
      />
    </div>
  );
};
