import { Classes } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { useSelf } from '../../../shared/account.ts';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { AccessTokenCard } from '../components/access-token-card.tsx';
import { AccountCard } from '../components/account-card.tsx';
import { ModelsCard } from '../components/models-card.tsx';
import { PasswordCard } from '../components/password-card.tsx';

export const Personal = () => {
  const { t } = useTranslation('personal');
  const self = useSelf();
  if (self.isError && !self.data) {
    return <LoadFailed error={self.error} onRetry={() => void self.refetch()} />;
  }
  return (
    <Page title={t('title')} lead={t('lead')}>
      {self.data ? (
        <AccountCard user={self.data} />
      ) : (
        <div className={`panel ${Classes.SKELETON} card-skeleton`} />
      )}
      <ModelsCard />
      <div className="card-pair">
        <AccessTokenCard />
        <PasswordCard />
      </div>
    </Page>
  );
};
