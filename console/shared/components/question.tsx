import { Alert, type Intent } from '@blueprintjs/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

type Props = Readonly<{
  isOpen: boolean;
  /** Names the dialog. */
  title: string;
  hint: string;
  intent: Intent;
  confirmText?: string;
  cancelText?: string;
  /** Without it the only way on is to confirm. */
  onCancel?: () => void;
  onConfirm: () => void;
}>;

/** A question in front of the page that has to be answered first. */
export const Question = (props: Props) => {
  const { t } = useTranslation('common');
  const id = useId();
  const { isOpen, title, hint, intent, onCancel, onConfirm } = props;
  return (
    <Alert
      isOpen={isOpen}
      aria-labelledby={id}
      intent={intent}
      confirmButtonText={props.confirmText ?? t('ok')}
      onConfirm={onConfirm}
      {...(onCancel && {
        canEscapeKeyCancel: true,
        cancelButtonText: props.cancelText ?? t('cancel'),
        onCancel,
      })}
    >
      <h2 id={id} className="question-title">
        {title}
      </h2>
      <p>{hint}</p>
    </Alert>
  );
};
