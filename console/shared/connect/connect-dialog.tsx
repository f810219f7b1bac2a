import { Dialog, DialogBody } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { ConnectPanel } from './connect-panel.tsx';

type Props = Readonly<{
  /** The key to begin with; `any`: the first one; null: closed. */
  token: number | 'any' | null;
  onClose: () => void;
}>;

export const ConnectDialog = ({ token, onClose }: Props) => {
  const { t } = useTranslation('connect');
  return (
    <Dialog
      isOpen={token !== null}
      onClose={onClose}
      title={t('title')}
      className="tg-dialog connect-dialog"
    >
      <DialogBody>
        <p className="muted">{t('lead')}</p>
        <ConnectPanel tokenId={token === 'any' || token === null ? undefined : token} />
      </DialogBody>
    </Dialog>
  );
};
