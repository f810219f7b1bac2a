import { Spinner } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';

export const Splash = () => {
  const { t } = useTranslation('common');
  return (
    <div className="splash">
      <Spinner size={32} aria-label={t('loading')} />
    </div>
  );
};
