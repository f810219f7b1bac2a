import { Button } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { toast } from '../../../shared/toast.ts';
import { useResetRatios } from '../api/options.ts';

export const ResetRatios = () => {
  const { t } = useTranslation('setting');
  const reset = useResetRatios();
  return (
    <ConfirmPopover
      title={t('reset-question')}
      onConfirm={() => reset.mutate(undefined, { onSuccess: () => toast('success', t('saved')) })}
    >
      <Button
        intent="danger"
        variant="minimal"
        text={t('reset-ratios')}
        loading={reset.isPending}
      />
    </ConfirmPopover>
  );
};
