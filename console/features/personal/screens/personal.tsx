import { Classes } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { useOwnModels, useSelf } from '../../../shared/account.ts';
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

type Self = NonNullable<ReturnType<typeof useSelf>['data']>;

const Cards = ({ user }: Readonly<{ user: Self }>) => (
  <>
    <AccountCard user={user} />
    <BindingsCard user={user} />
    <ModelsCard />
    <div className="card-pair">
      <InviteCard user={user} />
      <NotifyCard user={user} />
    </div>
    <div className="card-pair">
      <AccessTokenCard />
      <PasswordCard canLackPassword={hasOtherWayIn(user)} />
    </div>
    <SecondFactorCard />
    <SessionsCard />
    <DeleteCard user={user} />
  </>
);

export const Personal = () => {
  const { t } = useTranslation('personal');
  const self = useSelf();
  // Its height is known once it is read, and the rest follows it.
  const models = useOwnModels();
  if (self.isError && !self.data) {
    return <LoadFailed error={self.error} onRetry={() => void self.refetch()} />;
  }
  return (
    <Page title={t('title')} lead={t('lead')}>
      {self.data === undefined || models.isPending ? (
        <div className={`panel ${Classes.SKELETON} page-skeleton`} />
      ) : (
        <Cards user={self.data} />
      )}
    </Page>
  );
};
