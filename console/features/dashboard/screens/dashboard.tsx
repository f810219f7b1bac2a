import { Classes, HTMLSelect } from '@blueprintjs/core';
import { Chart } from '@blueprintjs/icons';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { BalanceLine } from '../../../shared/charts/balance-line.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ListToolbar } from '../../../shared/components/list-toolbar.tsx';
import { LiveSwitch } from '../../../shared/components/live-switch.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { TimeRangePicker } from '../../../shared/components/time-range-picker.tsx';
import { WhenNear } from '../../../shared/components/when-near.tsx';
import { FirstSteps } from '../../../shared/first-steps/first-steps.tsx';
import { seriesOf } from '../../../shared/format/series.ts';
import { nowSeconds } from '../../../shared/format/time.ts';
import { useLive } from '../../../shared/hooks/use-live.ts';
import { paths } from '../../../shared/paths.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { useStatus } from '../../../shared/status.ts';
import { type OverviewView, useOverview } from '../api/overview.ts';
import { useBalanceHistory, useUsage } from '../api/usage.ts';
import { KeyFigures } from '../components/key-figures.tsx';
import { logLink } from '../components/log-link.ts';
import { granularities, sumsByModel, totalOf } from '../components/series.ts';
import { Summary } from '../components/summary.tsx';
import { UsageChart } from '../components/usage-chart.tsx';
import { useDashboardRange } from '../components/use-dashboard-range.ts';

const Rankings = lazy(async () => ({
  default: (await import('../components/rankings.tsx')).Rankings,
}));
const ModelTable = lazy(async () => ({
  default: (await import('../components/model-table.tsx')).ModelTable,
}));
const Margin = lazy(async () => ({
  default: (await import('../components/margin.tsx')).Margin,
}));
const ChannelHealth = lazy(async () => ({
  default: (await import('../components/channel-health.tsx')).ChannelHealth,
}));

/** Calls arrive faster than a page of sums has to follow them. */
const minGapMs = 10_000;
/** Pixels of what is loaded later. */
const marginSpace = 240;
const rankingSpace = 260;
const tableSpace = 200;
const chartSpace = 220;
const balanceHeight = 160;

const BalanceOverTime = ({ start, end }: Readonly<{ start: number; end: number }>) => {
  const { t } = useTranslation('dashboard');
  const { data } = useBalanceHistory(start, end);
  if (!data || data.length < 2) return null;
  return (
    <section className="panel panel-body">
      <h2 className="panel-title">{t('balance-history')}</h2>
      <div className="balance-chart">
        <BalanceLine
          label={t('balance-history')}
          name={t('balance-history')}
          points={data}
          height={balanceHeight}
        />
      </div>
    </section>
  );
};

const later = <div className={`panel ${Classes.SKELETON}`} style={{ height: tableSpace }} />;

const Charts = () => {
  const { t } = useTranslation('dashboard');
  const isAdmin = useIsAdmin();
  const range = useDashboardRange();
  const { start, end, username, granularity } = range;
  const view: OverviewView = { start, end, username, isSite: isAdmin };
  const [isPaused, setPaused] = useState(false);
  useLive({
    readModels: ['usage-log', 'channel-costs'],
    queryKey: ['dashboard'],
    isPaused,
    minGapMs,
  });
  const overview = useOverview(view);
  const usage = useUsage({ start, end, username, isAdmin });
  const sums = useMemo(() => sumsByModel(usage.data ?? []), [usage.data]);
  const total = totalOf(sums);
  const series = useMemo(
    () =>
      seriesOf(
        sums.map(({ model }) => model),
        t('other'),
      ),
    [sums, t],
  );
  const minutes = (Math.min(end, nowSeconds()) - start) / 60;
  return (
    <Page title={t('title')} actions={<LiveSwitch isPaused={isPaused} onChange={setPaused} />}>
      <section className="panel is-toolbar">
        <ListToolbar
          fields={isAdmin ? [{ name: 'username', label: t('filter.username'), kind: 'text' }] : []}
          filters={{ username }}
          none={{ username: '' }}
          onApply={(changes) => range.onUsername(changes.username ?? '')}
          range={<TimeRangePicker {...range.picker} />}
        >
          <HTMLSelect
            aria-label={t('filter.granularity')}
            value={granularity}
            onChange={(event) => range.onGranularity(event.currentTarget.value)}
            options={granularities.map((value) => ({ value, label: t(`granularity.${value}`) }))}
          />
        </ListToolbar>
      </section>
      <FirstSteps />
      <KeyFigures overview={overview.data} view={view} />
      <Summary total={total} minutes={minutes} isPending={usage.isPending} />
      <UsageChart usage={usage} sums={sums} series={series} granularity={granularity} />
      {isAdmin && username === '' && (
        <WhenNear height={marginSpace}>
          <Suspense fallback={<div style={{ height: marginSpace }} />}>
            <Margin view={view} />
          </Suspense>
        </WhenNear>
      )}
      <WhenNear height={rankingSpace}>
        <Suspense fallback={<div style={{ height: rankingSpace }} />}>
          <Rankings view={view} />
        </Suspense>
      </WhenNear>
      {sums.length > 0 && (
        <WhenNear height={tableSpace}>
          <Suspense fallback={later}>
            <section className="panel">
              <ModelTable
                sums={sums}
                series={series}
                totalCalls={total.count}
                isBusy={usage.isFetching}
                linkOf={(model) => logLink(view, { model_name: model })}
              />
            </section>
          </Suspense>
        </WhenNear>
      )}
      {isAdmin && username === '' && (
        <WhenNear height={tableSpace}>
          <Suspense fallback={later}>
            <ChannelHealth view={view} />
          </Suspense>
        </WhenNear>
      )}
      <WhenNear height={chartSpace}>
        <BalanceOverTime start={start} end={end} />
      </WhenNear>
    </Page>
  );
};

const SwitchedOff = () => {
  const { t } = useTranslation('dashboard');
  const isAdmin = useIsAdmin();
  return (
    <Page title={t('title')}>
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
