import { Callout, Classes } from '@blueprintjs/core';
import { Layers } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LiveSwitch } from '../../../shared/components/live-switch.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { formatUnits } from '../../../shared/format/quota.ts';
import { type ProjectionRow, useProjections } from '../api/projections.ts';
import { LagCharts } from '../components/lag-charts.tsx';
import { projectionColumns } from '../components/projection-columns.tsx';

/** About as many as there are. */
const expectedRows = 14;

/** Their place is kept while the rows are on their way. */
const Figures = ({ rows = [] }: Readonly<{ rows: readonly ProjectionRow[] | undefined }>) => {
  const { t } = useTranslation('projections');
  const live = rows.filter(({ state }) => state === 'live').length;
  const lag = Math.max(0, ...rows.map((row) => row.lag_seconds));
  const rate = Math.max(0, ...rows.map((row) => row.events_per_second));
  const figures = [
    [t('figure.live'), t('figure.of', { live, total: rows.length })],
    [t('figure.lag'), t('seconds', { seconds: lag.toFixed(1) })],
    [t('figure.rate'), formatUnits(rate)],
  ] as const;
  return (
    <dl className="stats ledger-stats">
      {figures.map(([name, value]) => (
        <div key={name} className="panel stat">
          <dt>{name}</dt>
          <dd className={rows.length === 0 ? Classes.SKELETON : ''}>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

export const Projections = () => {
  const { t } = useTranslation('projections');
  const [isPaused, setPaused] = useState(false);
  const projections = useProjections(isPaused);
  const { data } = projections;
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={<LiveSwitch isPaused={isPaused} onChange={setPaused} />}
    >
      {!(projections.isError && !data) && <Figures rows={data} />}
      {projections.isError && data && (
        <Callout intent="warning" compact>
          {t('stale')}
        </Callout>
      )}
      <LagCharts />
      <section className="panel">
        {projections.isError && !data ? (
          <LoadFailed error={projections.error} onRetry={() => void projections.refetch()} />
        ) : (
          <DataTable
            label={t('title')}
            columns={projectionColumns(t)}
            rows={data}
            rowKey={({ name }) => name}
            isBusy={false}
            expectedRows={expectedRows}
            empty={
              <EmptyState icon={<Layers size={36} />} title={t('empty')} hint={t('empty-hint')} />
            }
          />
        )}
      </section>
    </Page>
  );
};
