import { Alert } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';

type Props = Readonly<{ isOpen: boolean; onKeep: () => void; onDiscard: () => void }>;

/** Asks before changes that were not saved are lost. */
export const DiscardQuestion = ({ isOpen, onKeep, onDiscard }: Props) => {
  const { t } = useTranslation('common');
  return (
    <Alert
      isOpen={isOpen}
      canEscapeKeyCancel
      intent="danger"
      cancelButtonText={t('keep-editing')}
      confirmButtonText={t('discard')}
      onCancel={onKeep}
      onConfirm={onDiscard}
    >
      <p>
        <strong>{t('discard-question')}</strong>
      </p>
      <p>{t('discard-hint')}</p>
    </Alert>
  );
};
