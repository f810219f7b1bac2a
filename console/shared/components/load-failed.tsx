import { Button } from '@blueprintjs/core';
import { Refresh, WarningSign } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { errorText } from '../api/report-error.ts';
import { EmptyState } from './empty-state.tsx';

type Props = Readonly<{ error: unknown; onRetry: () => void }>;

export const LoadFailed = ({ error, onRetry }: Props) => {
  const { t } = useTranslation('common');
  return (
    <EmptyState
      icon={<WarningSign size={36} />}
      title={t('load-failed')}
      hint={errorText(error, t)}
      action={<Button icon={<Refresh />} text={t('retry')} onClick={onRetry} />}
    />
  );
};
