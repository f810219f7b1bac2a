import { Classes } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { useSelf } from '../../../shared/account.ts';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { AccessTokenCard } from '../components/access-token-card.tsx';
import { AccountCard } from '../components/account-card.tsx';
import { hasOtherWayIn } from '../components/bindings.ts';
import { BindingsCard } from '../components/bindings-card.tsx';
import { DeleteCard } from '../components/delete-card.tsx';
import { InviteCard } from '../components/invite-card.tsx';
import { ModelsCard } from '../components/models-card.tsx';
import { NotifyCard } from '../components/notify-card.tsx';
import { PasswordCard } from '../components/password-card.tsx';
import { SecondFactorCard } from '../components/second-factor-card.tsx';
import { SessionsCard } from '../components/sessions-card.tsx';

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
      {self.data && <BindingsCard user={self.data} />}
      <ModelsCard />
      {self.data && (
        <div className="card-pair">
          <InviteCard user={self.data} />
          <NotifyCard user={self.data} />
        </div>
      )}
      <div className="card-pair">
        <AccessTokenCard />
        <PasswordCard canLackPassword={self.data !== undefined && hasOtherWayIn(self.data)} />
      </div>
      <SecondFactorCard />
      <SessionsCard />
      {self.data && <DeleteCard user={self.data} />}
    </Page>
  );
};
