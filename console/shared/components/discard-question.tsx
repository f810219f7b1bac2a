import { useTranslation } from 'react-i18next';
import { Question } from './question.tsx';

type Props = Readonly<{ isOpen: boolean; onKeep: () => void; onDiscard: () => void }>;

/** Confirms before unsaved changes are lost. */
export const DiscardQuestion = ({ isOpen, onKeep, onDiscard }: Props) => {
  const { t } = useTranslation('common');
  return (
    <Question
      isOpen={isOpen}
      title={t('discard-question')}
      hint={t('discard-hint')}
      intent="danger"
      cancelText={t('keep-editing')}
      confirmText={t('discard')}
      onCancel={onKeep}
      onConfirm={onDiscard}
    />
  );
};
