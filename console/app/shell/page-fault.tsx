import { Button } from '@blueprintjs/core';
import { Refresh, WarningSign } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../shared/components/empty-state.tsx';

/** A screen that broke, or whose script is gone after an update: a reload fixes both. */
export const PageFault = () => {
  const { t } = useTranslation('common');
  return (
    <EmptyState
      icon={<WarningSign size={36} />}
      title={t('page-fault')}
      hint={t('page-fault-hint')}
      action={
        <Button icon={<Refresh />} text={t('reload')} onClick={() => window.location.reload()} />
      }
    />
  );
};
