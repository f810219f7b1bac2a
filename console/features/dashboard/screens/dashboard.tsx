import { Classes, HTMLSelect } from '@blueprintjs/core';
import { Chart } from '@blueprintjs/icons';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ListToolbar } from '../../../shared/components/list-toolbar.tsx';
import { LiveSwitch } from '../../../shared/components/live-switch.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { TimeRangePicker } from '../../../shared/components/time-range-picker.tsx';
import { FirstSteps } from '../../../shared/first-steps/first-steps.tsx';
import { seriesOf } from '../../../shared/format/series.ts';
import { nowSeconds } from '../../../shared/format/time.ts';
import { useLive } from '../../../shared/hooks/use-live.ts';
import { paths } from '../../../shared/paths.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { useStatus } from '../../../shared/status.ts';
import { type OverviewView, useOverview } from '../api/overview.ts';
import { useBalanceHistory, useUsage } from '../api/usage.ts';
import { Budgets } from '../components/budgets.tsx';
import { KeyFigures } from '../components/key-figures.tsx';
import { LatestErrors } from '../components/latest-errors.tsx';
import { logLink } from '../components/log-link.ts';
import { ModelTable } from '../components/model-table.tsx';
import { Ranking } from '../components/ranking.tsx';
import { granularities, sumsByModel, totalOf } from '../components/series.ts';
import { Summary } from '../components/summary.tsx';
import { UsageChart } from '../components/usage-chart.tsx';
import { useDashboardRange } from '../components/use-dashboard-range.ts';

const BalanceHistory = lazy(async () => ({
  default: (await import('../components/balance-history.tsx')).BalanceHistory,
}));
const ChannelHealth = lazy(async () => ({
  default: (await import('../components/channel-health.tsx')).ChannelHealth,
}));

/** Calls come in faster than a page of sums has to follow them. */
const minGapMs = 10_000;

type RankingsProps = Readonly<{ view: OverviewView }>;

const Rankings = ({ view }: RankingsProps) => {
  const { t } = useTranslation('dashboard');
  const { data } = useOverview(view);
  return (
    <div className="ranking-grid">
      {view.isSite && view.username === '' && (
        <Ranking
          title={t('top-users')}
          rows={data?.users}
          unnamed={t('unknown-user')}
          linkOf={({ name }) => (name === '' ? null : logLink(view, { username: name }))}
        />
      )}
      <Ranking
        title={t('top-tokens')}
        rows={data?.tokens}
        unnamed={t('playground')}
        linkOf={({ name }) => (name === '' ? null : logLink(view, { token_name: name }))}
      />
      <Budgets start={view.start} end={view.end} />
      <LatestErrors view={view} />
    </div>
  );
};

const BalanceOverTime = ({ start, end }: Readonly<{ start: number; end: number }>) => {
  const { t } = useTranslation('dashboard');
  const { data } = useBalanceHistory(start, end);
  if (!data || data.length < 2) return null;
  return (
    <section className="panel panel-body">
      <h2 className="panel-title">{t('balance-history')}</h2>
      <div role="img" aria-label={t('balance-history')} className="balance-chart">
        <Suspense fallback={<div className={Classes.SKELETON} style={{ height: 150 }} />}>
          <BalanceHistory points={data} />
        </Suspense>
      </div>
    </section>
  );
};

const Charts = () => {
  const { t } = useTranslation('dashboard');
  const isAdmin = useIsAdmin();
  const range = useDashboardRange();
  const { start, end, username, granularity } = range;
  const view: OverviewView = { start, end, username, isSite: isAdmin };
  const [isPaused, setPaused] = useState(false);
  useLive({ readModels: ['usage-log'], queryKey: ['dashboard'], isPaused, minGapMs });
  const overview = useOverview(view);
  const usage = useUsage({ start, end, defaultTime: granularity, username, isAdmin });
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
      <Rankings view={view} />
      {sums.length > 0 && (
        <section className="panel">
          <ModelTable
            sums={sums}
            series={series}
            totalCalls={total.count}
            isBusy={usage.isFetching}
            linkOf={(model) => logLink(view, { model_name: model })}
          />
        </section>
      )}
      {isAdmin && username === '' && (
        <Suspense
          fallback={<div className={`panel ${Classes.SKELETON}`} style={{ height: 200 }} />}
        >
          <ChannelHealth view={view} />
        </Suspense>
      )}
      <BalanceOverTime start={start} end={end} />
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
