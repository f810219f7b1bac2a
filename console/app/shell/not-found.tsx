import { AnchorButton } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { paths } from '../../shared/paths.ts';

export const NotFound = () => {
  const { t } = useTranslation('shell');
  return (
    <EmptyState
      icon={<Search size={36} />}
      title={t('not-found')}
      hint={t('not-found-hint')}
      action={<AnchorButton href={paths.home} text={t('back-home')} />}
    />
  );
};
