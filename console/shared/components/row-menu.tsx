import { Button, Dialog, DialogBody, InputGroup, MenuItem, PopoverNext } from '@blueprintjs/core';
import { More } from '@blueprintjs/icons';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxReasonLength } from '../../../command-api/contract/limits.ts';
import { ActionMenu } from './action-menu.tsx';
import { DialogButtons } from './dialog-buttons.tsx';

type Question = Readonly<{
  title: string;
  /** A second line under the question; by default that it cannot be undone. */
  hint?: string;
  /** Also requests a reason, which may be empty. */
  reasonLabel?: string;
  onConfirm: (reason: string) => void;
}>;
export type RowAction = Readonly<{
  text: string;
  icon?: ReactElement;
  isDanger?: boolean;
  isDisabled?: boolean;
}> &
  Readonly<{ onClick: () => void } | { question: Question }>;

type AskProps = Readonly<{ question: Question; isDanger: boolean; onClose: () => void }>;

const Ask = ({ question, isDanger, onClose }: AskProps) => {
  const { t } = useTranslation('common');
  const [reason, setReason] = useState('');
  const { title, hint, reasonLabel } = question;
  return (
    <Dialog isOpen onClose={onClose} title={title} className="tg-dialog is-small">
      <div role="alertdialog" aria-label={title}>
        <DialogBody>
          <p>{hint ?? t('irreversible')}</p>
          {reasonLabel && (
            <InputGroup
              aria-label={reasonLabel}
              placeholder={reasonLabel}
              maxLength={maxReasonLength}
              value={reason}
              onValueChange={setReason}
            />
          )}
        </DialogBody>
        <DialogButtons
          isDanger={isDanger}
          onCancel={onClose}
          onConfirm={() => {
            onClose();
            question.onConfirm(reason.trim());
          }}
        />
      </div>
    </Dialog>
  );
};

type Props = Readonly<{
  /** Of the row. */
  name: string;
  isSending?: boolean;
  actions: readonly RowAction[];
  /** What opens the menu, where it is not about a row. */
  children?: ReactElement;
}>;

/** Not where an action has opened a drawer or a dialog, where one may be typing by then. */
const returnFocusTo = (opener: HTMLButtonElement | null, isClosing: boolean): void => {
  const { activeElement } = document;
  // The menu that closes still holds it.
  const isHeld = isClosing && activeElement?.closest('.bp6-popover');
  if (isHeld || activeElement === document.body) opener?.focus();
};

/** Actions of a row, behind one button; what is lost for good is confirmed first. */
export const RowMenu = ({ name, isSending = false, actions, children }: Props) => {
  const { t } = useTranslation('common');
  const [asked, setAsked] = useState<(RowAction & { question: Question }) | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const label = t('actions-of', { name });
  const returnFocus = () => returnFocusTo(opener.current, true);
  // While an action is on its way the button takes no focus.
  useEffect(() => {
    if (!isSending) return undefined;
    return () => {
      setTimeout(() => returnFocusTo(opener.current, false));
    };
  }, [isSending]);
  return (
    <>
      <PopoverNext
        placement="bottom-end"
        arrow={false}
        animation="minimal"
        shouldReturnFocusOnClose={false}
        onClosed={returnFocus}
        content={
          <ActionMenu aria-label={label}>
            {actions.map((action) => (
              <MenuItem
                key={action.text}
                text={action.text}
                {...(action.icon && { icon: action.icon })}
                {...(action.isDanger && { intent: 'danger' as const })}
                disabled={action.isDisabled ?? false}
                onClick={() => ('question' in action ? setAsked(action) : action.onClick())}
              />
            ))}
          </ActionMenu>
        }
      >
        {children ?? (
          <Button
            ref={opener}
            variant="minimal"
            size="small"
            icon={<More />}
            aria-label={label}
            title={label}
            loading={isSending}
          />
        )}
      </PopoverNext>
      {asked && (
        <Ask
          question={asked.question}
          isDanger={asked.isDanger ?? false}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
};
