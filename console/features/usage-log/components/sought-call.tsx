import { Classes } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { RowDrawer } from '../../../shared/components/row-drawer.tsx';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { useFoundCall } from '../api/logs.ts';
import { LogDetails } from './log-details.tsx';

/** The call that the address names by its request id, whatever the list shows. */
export const SoughtCall = () => {
  const { t } = useTranslation('usage-log');
  const isAdmin = useIsAdmin();
  const [{ call: requestId }, change] = useUrlFilters({ call: '' });
  const found = useFoundCall(requestId, isAdmin);
  const row = found.data ?? null;
  return (
    <RowDrawer
      title={row?.model_name || t('call', { id: requestId })}
      isOpen={requestId !== ''}
      onPrevious={null}
      onNext={null}
      onClose={() => change({ call: '' })}
      onClosed={() => undefined}
    >
      {found.isPending && <div className={`${Classes.SKELETON} card-skeleton`} />}
      {found.isError && <LoadFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && row === null && <p>{t('call-unknown', { id: requestId })}</p>}
      {row !== null && <LogDetails row={row} />}
    </RowDrawer>
  );
};
