import { Button, InputGroup, PopoverNext } from '@blueprintjs/core';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxReasonLength } from '../../../command-api/contract/limits.ts';

type Props = Readonly<{
  title: string;
  /** A second line under the question; by default that it cannot be undone. */
  hint?: string;
  /** Also requests a reason, which may be empty. */
  reasonLabel?: string;
  isReasonRequired?: boolean;
  onConfirm: (reason: string) => void;
  children: ReactElement;
}>;

/** The popover is not in its place yet when it is mounted: the page must not scroll to where it was. */
const focusInPlace = (button: HTMLButtonElement | null) => button?.focus({ preventScroll: true });

/** Confirms before something is lost, right where the user clicked. */
export const ConfirmPopover = (props: Props) => {
  const { title, hint, reasonLabel, isReasonRequired = false, onConfirm, children } = props;
  const { t } = useTranslation('common');
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  return (
    <PopoverNext
      isOpen={isOpen}
      onInteraction={setOpen}
      placement="top"
      content={
        <div className="confirm" role="alertdialog" aria-label={title}>
          <strong>{title}</strong>
          <p>{hint ?? t('irreversible')}</p>
          {reasonLabel && (
            <InputGroup
              className="confirm-reason"
              aria-label={reasonLabel}
              placeholder={reasonLabel}
              maxLength={maxReasonLength}
              value={reason}
              onValueChange={setReason}
            />
          )}
          <div className="confirm-actions">
            <Button size="small" text={t('cancel')} onClick={() => setOpen(false)} />
            <Button
              size="small"
              intent="danger"
              disabled={isReasonRequired && reason.trim() === ''}
              text={t('ok')}
              ref={focusInPlace}
              onClick={() => {
                setOpen(false);
                setReason('');
                onConfirm(reason.trim());
              }}
            />
          </div>
        </div>
      }
    >
      {children}
    </PopoverNext>
  );
};
