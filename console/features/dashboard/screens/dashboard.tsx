import { Classes, Tab, Tabs } from '@blueprintjs/core';
import { Chart } from '@blueprintjs/icons';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactElement, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LiveSwitch } from '../../../shared/components/live-switch.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { abbreviate, formatQuota } from '../../../shared/format/quota.ts';
import { seriesOf } from '../../../shared/format/series.ts';
import { nowSeconds } from '../../../shared/format/time.ts';
import { useIsNarrow } from '../../../shared/hooks/use-is-narrow.ts';
import { useLive } from '../../../shared/hooks/use-live.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { readLocal } from '../../../shared/local-values.ts';
import { paths } from '../../../shared/paths.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { useQuotaDisplay, useStatus } from '../../../shared/status.ts';
import { useBalanceHistory, useUsage } from '../api/usage.ts';
import { ModelLegend } from '../components/model-legend.tsx';
import { ModelTable } from '../components/model-table.tsx';
import { RangeBar } from '../components/range-bar.tsx';
import {
  bucketsOf,
  defaultSpan,
  isGranularity,
  sumsByModel,
  totalOf,
} from '../components/series.ts';
import { Summary } from '../components/summary.tsx';

const UsageBars = lazy(async () => ({
  default: (await import('../components/usage-bars.tsx')).UsageBars,
}));
const CallsDonut = lazy(async () => ({
  default: (await import('../components/calls-donut.tsx')).CallsDonut,
}));
const BalanceHistory = lazy(async () => ({
  default: (await import('../components/balance-history.tsx')).BalanceHistory,
}));

/** Pixels; on a phone a chart must leave room for the rest. */
const chartHeight = (isNarrow: boolean) => (isNarrow ? 280 : 440);

/** The range in the address. What is not there follows the granularity, from the minute of arrival. */
const useRange = () => {
  const kept = readLocal('data_export_default_time') ?? '';
  const [now] = useState(nowSeconds);
  const defaults = {
    default_time: (isGranularity(kept) ? kept : 'hour') as string,
    start_timestamp: '',
    end_timestamp: '',
    username: '',
  };
  const [filters, change] = useUrlFilters(defaults);
  const granularity = isGranularity(filters.default_time) ? filters.default_time : 'hour';
  return {
    granularity,
    start: Number(filters.start_timestamp) || now - defaultSpan[granularity],
    end: Number(filters.end_timestamp) || now + 3600,
    username: filters.username,
    change,
  };
};

const Charts = () => {
  const { t } = useTranslation('dashboard');
  const isAdmin = useIsAdmin();
  const isNarrow = useIsNarrow();
  const display = useQuotaDisplay();
  const queryClient = useQueryClient();
  const { granularity, start, end, username, change } = useRange();
  const [only, setOnly] = useState<string | null>(null);
  const [isPaused, setPaused] = useState(false);
  const live = { readModels: ['usage-log'], queryKey: ['dashboard', 'usage'], isPaused };
  useLive({ ...live, minGapMs: 10_000 });
  const usage = useUsage({ start, end, defaultTime: granularity, username, isAdmin });
  const balance = useBalanceHistory(start, end);
  const rows = usage.data;
  const sums = useMemo(() => sumsByModel(rows ?? []), [rows]);
  const buckets = useMemo(() => bucketsOf(rows ?? [], granularity), [rows, granularity]);
  const total = totalOf(sums);
  const series = useMemo(
    () =>
      seriesOf(
        sums.map(({ model }) => model),
        t('other'),
      ),
    [sums, t],
  );
  const shown = series.find(({ name }) => name === only);
  const height = chartHeight(isNarrow);

  const waiting = <div className={Classes.SKELETON} style={{ height }} />;
  const chart = (content: ReactElement) => {
    if (usage.isError && !rows) {
      return <LoadFailed error={usage.error} onRetry={() => void usage.refetch()} />;
    }
    if (usage.isPending) return waiting;
    if (sums.length > 0) return <Suspense fallback={waiting}>{content}</Suspense>;
    return <EmptyState icon={<Chart size={36} />} title={t('empty')} hint={t('empty-hint')} />;
  };

  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={<LiveSwitch isPaused={isPaused} onChange={setPaused} />}
    >
      <Summary total={total} minutes={(end - start) / 60} isPending={usage.isPending} />
      <section className="panel">
        <RangeBar
          key={`${start} ${end} ${granularity} ${username}`}
          range={{ start, end, granularity, username }}
          isAdmin={isAdmin}
          onGranularity={(default_time) =>
            change({ default_time, start_timestamp: '', end_timestamp: '' })
          }
          onApply={(range) => {
            change({
              start_timestamp: String(range.start),
              end_timestamp: String(range.end),
              username: range.username.trim(),
            });
            void queryClient.invalidateQueries({ queryKey: ['dashboard'] });
          }}
        />
        <div className="chart-panel">
          <Tabs id="dashboard" renderActiveTabPanelOnly>
            <Tab
              id="consumption"
              title={t('tab.consumption')}
              panel={
                <figure>
                  <figcaption>
                    <h2>{t('consumption')}</h2>
                    <p>{t('sum', { sum: formatQuota(total.quota, display) })}</p>
                  </figcaption>
                  {chart(
                    <>
                      <div role="img" aria-label={t('consumption')}>
                        <UsageBars
                          buckets={buckets}
                          series={shown === undefined ? series : [shown]}
                          height={height}
                        />
                      </div>
                      <ModelLegend series={series} only={shown?.name ?? null} onChoose={setOnly} />
                    </>,
                  )}
                </figure>
              }
            />
            <Tab
              id="calls"
              title={t('tab.calls')}
              panel={
                <figure>
                  <figcaption>
                    <h2>{t('calls-by-model')}</h2>
                    <p>{t('sum', { sum: abbreviate(total.count) })}</p>
                  </figcaption>
                  {chart(
                    <div role="img" aria-label={t('calls-by-model')}>
                      <CallsDonut sums={sums} series={series} total={total.count} height={height} />
                    </div>,
                  )}
                </figure>
              }
            />
          </Tabs>
        </div>
      </section>
      {sums.length > 0 && (
        <section className="panel">
          <ModelTable
            sums={sums}
            series={series}
            totalCalls={total.count}
            isBusy={usage.isFetching}
          />
        </section>
      )}
      {balance.data && balance.data.length > 1 && (
        <section className="panel panel-body">
          <h2 className="panel-title">{t('balance-history')}</h2>
          <div role="img" aria-label={t('balance-history')} className="balance-chart">
            <Suspense fallback={<div className={Classes.SKELETON} style={{ height: 150 }} />}>
              <BalanceHistory points={balance.data} />
            </Suspense>
          </div>
        </section>
      )}
    </Page>
  );
};

const SwitchedOff = () => {
  const { t } = useTranslation('dashboard');
  const isAdmin = useIsAdmin();
  return (
    <Page title={t('title')} lead={t('lead')}>
      <section className="panel">
        <EmptyState
          icon={<Chart size={36} />}
          title={t('switched-off')}
          hint={t('switched-off-hint')}
          action={isAdmin ? <Link to={paths.setting}>{t('to-settings')}</Link> : undefined}
        />
      </section>
    </Page>
  );
};

export const Dashboard = () => (useStatus().enable_data_export ? <Charts /> : <SwitchedOff />);
