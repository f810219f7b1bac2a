import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { InstantField } from '../../../shared/components/instant-field.tsx';
import { formatSeconds, nowSeconds } from '../../../shared/format/time.ts';
import { toast } from '../../../shared/toast.ts';
import { useClearLog } from '../api/options.ts';

const monthSeconds = 30 * 86_400;

/** Takes old entries out of the usage log. The ledger and the event log keep them. */
export const ClearLog = () => {
  const { t } = useTranslation('setting');
  const [before, setBefore] = useState<number | null>(() => nowSeconds() - monthSeconds);
  const clear = useClearLog();
  const at = before === null || Number.isNaN(before) ? null : before;
  const button = (
    <Button
      intent="danger"
      variant="outlined"
      text={t('clear-log')}
      loading={clear.isPending}
      {...(at === null && { onClick: () => toast('error', t('clear-log-time')) })}
    />
  );
  return (
    <div className="clear-log">
      <Field label={t('clear-log-before')}>
        {(id) => (
          <InstantField
            id={id}
            label={t('clear-log-before')}
            value={before}
            side="past"
            onChange={setBefore}
          />
        )}
      </Field>
      {at === null ? (
        button
      ) : (
        <ConfirmPopover
          title={t('clear-log-question', { time: formatSeconds(at) })}
          onConfirm={() =>
            clear.mutate(at, {
              onSuccess: (count) => toast('success', t('clear-log-done', { count })),
            })
          }
        >
          {button}
        </ConfirmPopover>
      )}
    </div>
  );
};
