import { Button, PopoverNext } from '@blueprintjs/core';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';

type Props = Readonly<{
  title: string;
  /** A second line under the question; by default that it cannot be undone. */
  hint?: string;
  onConfirm: () => void;
  children: ReactElement;
}>;

/** Asks before something is lost, right where the person clicked. */
export const ConfirmPopover = ({ title, hint, onConfirm, children }: Props) => {
  const { t } = useTranslation('common');
  const [isOpen, setOpen] = useState(false);
  return (
    <PopoverNext
      isOpen={isOpen}
      onInteraction={setOpen}
      placement="top"
      content={
        <div className="confirm" role="alertdialog" aria-label={title}>
          <strong>{title}</strong>
          <p>{hint ?? t('irreversible')}</p>
          <div className="confirm-actions">
            <Button size="small" text={t('cancel')} onClick={() => setOpen(false)} />
            <Button
              size="small"
              intent="danger"
              text={t('ok')}
              autoFocus
              onClick={() => {
                setOpen(false);
                onConfirm();
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
