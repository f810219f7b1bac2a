import { Button, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { fromLocalInput, nowSeconds, toLocalInput } from '../../../shared/format/time.ts';
import { toast } from '../../../shared/toast.ts';
import { useClearLog } from '../api/options.ts';

const monthSeconds = 30 * 86_400;

/** Takes old entries out of the usage log. The ledger and the event log keep them. */
export const ClearLog = () => {
  const { t } = useTranslation('setting');
  const [before, setBefore] = useState(() => toLocalInput(nowSeconds() - monthSeconds));
  const clear = useClearLog();
  const at = fromLocalInput(before);
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
          <InputGroup id={id} type="datetime-local" value={before} onValueChange={setBefore} />
        )}
      </Field>
      {at === null ? (
        button
      ) : (
        <ConfirmPopover
          title={t('clear-log-question', { time: before.replace('T', ' ') })}
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
