import { Button, Classes } from '@blueprintjs/core';
import { Refresh } from '@blueprintjs/icons';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { useReconciliation } from '../api/reconciliation.ts';
import { AllOrders } from '../components/all-orders.tsx';
import { DeadLetters } from '../components/dead-letters.tsx';
import { PaidAgain } from '../components/paid-again.tsx';
import { Verdict } from '../components/verdict.tsx';

export const Payments = () => {
  const { t } = useTranslation('reconciliation');
  const client = useQueryClient();
  const found = useReconciliation();
  const again = (
    <Button
      icon={<Refresh />}
      text={t('check-again')}
      loading={found.isFetching}
      onClick={() => {
        void found.refetch();
        void client.invalidateQueries({ queryKey: ['dead-letters'] });
      }}
    />
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={again}>
      {found.isError && !found.data && (
        <LoadFailed error={found.error} onRetry={() => void found.refetch()} />
      )}
      {found.isPending ? (
        <div className={`panel ${Classes.SKELETON} page-skeleton`} />
      ) : (
        <>
          {found.data && <Verdict found={found.data} />}
          {found.data && <PaidAgain rows={found.data.paid_again} />}
          <DeadLetters />
          <AllOrders />
        </>
      )}
    </Page>
  );
};
