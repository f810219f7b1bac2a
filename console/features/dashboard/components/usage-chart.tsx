import { Classes, Tab, Tabs } from '@blueprintjs/core';
import { Chart } from '@blueprintjs/icons';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactElement, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { abbreviate, formatQuota } from '../../../shared/format/quota.ts';
import type { Series } from '../../../shared/format/series.ts';
import { useIsNarrow } from '../../../shared/hooks/use-is-narrow.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import type { DataRow } from '../api/usage.ts';
import { CallsDonut } from './calls-donut.tsx';
import { ModelLegend } from './model-legend.tsx';
import { bucketsOf, type Granularity, type ModelSum, totalOf } from './series.ts';
import { UsageBars } from './usage-bars.tsx';

/** Pixels; on a phone a chart must leave room for the rest. */
const chartHeight = (isNarrow: boolean) => (isNarrow ? 240 : 300);

type Props = Readonly<{
  usage: UseQueryResult<DataRow[]>;
  sums: readonly ModelSum[];
  series: readonly Series[];
  granularity: Granularity;
}>;

/** What each model cost over time, and its share of the calls. */
export const UsageChart = ({ usage, sums, series, granularity }: Props) => {
  const { t } = useTranslation('dashboard');
  const display = useQuotaDisplay();
  const height = chartHeight(useIsNarrow());
  const [only, setOnly] = useState<string | null>(null);
  const buckets = useMemo(
    () => bucketsOf(usage.data ?? [], granularity),
    [usage.data, granularity],
  );
  const total = totalOf(sums);
  const one = series.find(({ name }) => name === only);

  const chart = (content: ReactElement) => {
    if (usage.isError && !usage.data) {
      return <LoadFailed error={usage.error} onRetry={() => void usage.refetch()} />;
    }
    if (usage.isPending) return <div className={Classes.SKELETON} style={{ height }} />;
    if (sums.length > 0) return content;
    return <EmptyState icon={<Chart size={36} />} title={t('empty')} hint={t('empty-hint')} />;
  };
  const figure = (title: string, sum: string, content: ReactElement) => (
    <figure>
      <figcaption>
        <h2>{title}</h2>
        <p>{t('sum', { sum })}</p>
      </figcaption>
      {chart(content)}
    </figure>
  );

  return (
    <section className="panel chart-panel">
      <Tabs id="dashboard" renderActiveTabPanelOnly>
        <Tab
          id="consumption"
          title={t('tab.consumption')}
          panel={figure(
            t('consumption'),
            formatQuota(total.quota, display),
            <>
              <UsageBars
                buckets={buckets}
                series={one === undefined ? series : [one]}
                height={height}
              />
              <ModelLegend series={series} only={one?.name ?? null} onChoose={setOnly} />
            </>,
          )}
        />
        <Tab
          id="calls"
          title={t('tab.calls')}
          panel={figure(
            t('calls-by-model'),
            abbreviate(total.count),
            <CallsDonut sums={sums} series={series} total={total.count} height={height} />,
          )}
        />
      </Tabs>
    </section>
  );
};
