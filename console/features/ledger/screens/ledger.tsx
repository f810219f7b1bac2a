import { Button } from '@blueprintjs/core';
import { Book, Calculator, Refresh } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { userQuery } from '../../../shared/account.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ExportButton } from '../../../shared/components/export-button.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Money } from '../../../shared/components/money.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { asExactCurrency, formatUnits } from '../../../shared/format/quota.ts';
import { dateStamp } from '../../../shared/format/time.ts';
import { useAddressPaging } from '../../../shared/hooks/use-paging.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useIsAdmin, useStoredUser } from '../../../shared/session.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import { exportLedger, type LedgerPage, useLedger, useOldest } from '../api/ledger.ts';
import { DisputeDrawer } from '../components/dispute-drawer.tsx';
import { EntryDetails } from '../components/entry-details.tsx';
import { ledgerColumns } from '../components/ledger-columns.tsx';
import { LedgerFilterBar } from '../components/ledger-filter-bar.tsx';
import { TimeTravel } from '../components/time-travel.tsx';

const BalanceChart = lazy(async () => ({
  default: (await import('../components/balance-chart.tsx')).BalanceChart,
}));

const defaults = { kind: '', start_timestamp: '', end_timestamp: '', as_of: '', p: '1' };
/** Two points make a line; fewer are no chart. */
const minPoints = 2;

const Totals = ({ page }: Readonly<{ page: LedgerPage }>) => {
  const { t } = useTranslation('ledger');
  const display = useQuotaDisplay();
  const reserved = (page.leases ?? []).reduce((sum, lease) => sum + lease.amount - lease.spent, 0);
  const figure = (name: 'balance' | 'used', units: number) => (
    <div className="panel stat">
      <dt>{t(name)}</dt>
      <dd>
        <Money units={units} />
        <small>{t('units-exactly', { units: formatUnits(units) })}</small>
        {name === 'balance' && reserved > 0 && (
          <small>{t('reserved', { units: asExactCurrency(reserved, display) })}</small>
        )}
      </dd>
    </div>
  );
  return (
    <dl className="stats ledger-stats">
      {figure('balance', page.balance)}
      {figure('used', page.used)}
      <div className="panel stat">
        <dt>{t('movements')}</dt>
        <dd>
          {formatUnits(page.total)}
          <small>{t('movements-hint')}</small>
        </dd>
      </div>
    </dl>
  );
};

const useLedgerTitle = (userId: number | null) => {
  const { t } = useTranslation('ledger');
  const me = useStoredUser();
  const isOther = userId !== null && userId !== me?.id;
  const { data } = useQuery({
    ...userQuery(userId ?? 0),
    enabled: isOther,
    meta: { isQuiet: true },
  });
  if (!isOther) return t('title-own');
  return t('title-of', { name: data?.username ?? `#${userId}` });
};

export const Ledger = () => {
  const { t } = useTranslation(['ledger', 'common']);
  const params = useParams();
  const userId = params.userId === undefined ? null : Number(params.userId);
  const [{ p, ...filters }, change] = useUrlFilters(defaults);
  const paging = useAddressPaging(p, change);
  const { page, pageSize } = paging;
  const ledger = useLedger({ userId, filters, page, pageSize });
  const title = useLedgerTitle(userId);
  const { data } = ledger;
  const isAdmin = useIsAdmin();
  const me = useStoredUser();
  const oldest = useOldest(userId).data ?? null;
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set());
  const [isDisputing, setDisputing] = useState(false);
  const charges = (data?.items ?? []).filter(
    ({ id, kind }) => selected.has(id) && kind === 'RequestCharged',
  );

  return (
    <Page
      title={title}
      lead={t('lead')}
      actions={
        <>
          {isAdmin && (
            <Button
              icon={<Calculator />}
              text={t('dispute')}
              onClick={() =>
                charges.length === 0 ? toast('info', t('dispute-none')) : setDisputing(true)
              }
            />
          )}
          <ExportButton
            onExport={(format) => exportLedger({ userId, filters }, format, dateStamp())}
          />
          <Button
            icon={<Refresh />}
            text={t('common:refresh')}
            loading={ledger.isFetching}
            onClick={() => void ledger.refetch()}
          />
        </>
      }
    >
      {data && <Totals page={data} />}
      <section className="panel">
        {oldest !== null && (
          <TimeTravel
            oldest={oldest}
            asOf={filters.as_of === '' ? null : Number(filters.as_of)}
            onChange={(at) => change({ as_of: at === null ? '' : String(at), p: '1' })}
          />
        )}
        {data && data.items.length >= minPoints && (
          <Suspense fallback={<div className="balance-chart" />}>
            <BalanceChart entries={data.items} />
          </Suspense>
        )}
        <LedgerFilterBar filters={filters} onChange={(changes) => change({ ...changes, p: '1' })} />
        <ListView
          query={ledger}
          paging={paging}
          total={data?.total}
          label={title}
          columns={ledgerColumns(t)}
          rows={data?.items}
          rowKey={({ id }) => id}
          expand={(entry) => <EntryDetails entry={entry} />}
          {...(isAdmin && { selection: { keys: selected, onChange: setSelected } })}
          empty={<EmptyState icon={<Book size={36} />} title={t('empty')} hint={t('empty-hint')} />}
        />
      </section>
      {isDisputing && me && (
        <DisputeDrawer
          userId={userId ?? me.id}
          charges={charges}
          onClose={() => setDisputing(false)}
          balance={data?.as_of === null ? data.balance : null}
          onPosted={() => setSelected(new Set())}
        />
      )}
    </Page>
  );
};
