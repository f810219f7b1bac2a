import { Button, DialogFooter } from '@blueprintjs/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';

type Props = Readonly<{
  /** "OK" by default. */
  text?: string;
  icon?: ReactElement;
  isDanger?: boolean;
  isDisabled?: boolean;
  isSending?: boolean;
  onCancel: () => void;
  /** Absent where the button sends the form around it. */
  onConfirm?: () => void;
}>;

/** The end of a dialog: leave it, or do what it is about. */
export const DialogButtons = (props: Props) => {
  const { t } = useTranslation('common');
  const { icon, onConfirm } = props;
  return (
    <DialogFooter
      actions={
        <>
          <Button text={t('cancel')} onClick={props.onCancel} />
          <Button
            type={onConfirm ? 'button' : 'submit'}
            intent={props.isDanger ? 'danger' : 'primary'}
            text={props.text ?? t('ok')}
            disabled={props.isDisabled ?? false}
            loading={props.isSending ?? false}
            {...(icon && { icon })}
            {...(onConfirm && { onClick: onConfirm })}
          />
        </>
      }
    />
  );
};
