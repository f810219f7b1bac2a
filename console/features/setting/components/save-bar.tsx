import { Button, InputGroup } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { maxReasonLength } from '../../../../command-api/contract/limits.ts';

type Props = Readonly<{
  /** How many options differ from what is stored. */
  count: number;
  isSaving: boolean;
  reason: string;
  onReason: (reason: string) => void;
  onDiscard: () => void;
  /** Other buttons of the card. */
  extra?: ReactNode;
}>;

/** Stays in sight while there is something to save. */
export const SaveBar = ({ count, isSaving, reason, onReason, onDiscard, extra }: Props) => {
  const { t } = useTranslation(['setting', 'common']);
  const isChanged = count > 0;
  return (
    <div className={isChanged ? 'button-row setting-save' : 'button-row setting-end'}>
      <Button
        type="submit"
        intent={isChanged ? 'primary' : 'none'}
        text={t('save')}
        loading={isSaving}
      />
      {isChanged && (
        <>
          <Button
            variant="minimal"
            text={t('discard-edits')}
            disabled={isSaving}
            onClick={onDiscard}
          />
          <span aria-live="polite">{t('unsaved', { count })}</span>
          <InputGroup
            className="setting-reason"
            aria-label={t('reason')}
            placeholder={t('reason')}
            maxLength={maxReasonLength}
            value={reason}
            onValueChange={onReason}
          />
        </>
      )}
      {extra}
    </div>
  );
};
