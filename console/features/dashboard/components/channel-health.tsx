import { Intersection } from '@blueprintjs/icons';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { type DotTone, StatusDot } from '../../../shared/components/status-dot.tsx';
import { formatUnits } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import { paths } from '../../../shared/paths.ts';
import {
  type ChannelHealth as Health,
  type OverviewView,
  useChannelHealth,
  useChannelStates,
} from '../api/overview.ts';
import { asPercent, asSeconds, errorRate } from './change.ts';
import { ChannelCharts } from './channel-charts.tsx';
import { logLink } from './log-link.ts';

/** From which share of failed calls on an hour is amber, and red. */
const amberFrom = 0.02;
const redFrom = 0.2;
const hourSeconds = 3600;
const shownHours = 24;

const toneOf = (share: number): 'good' | 'warn' | 'bad' => {
  if (share >= redFrom) return 'bad';
  return share >= amberFrom ? 'warn' : 'good';
};

type State = Readonly<{ status: number; reason: string }>;
type Row = Health & Readonly<{ state: State | null }>;

const enabled = 1;
const tones: Readonly<Record<number, DotTone>> = { 1: 'good', 2: 'idle', 3: 'bad' };
type StatusText = 'channel-status.1' | 'channel-status.2' | 'channel-status.3';
const statusTexts: Readonly<Record<number, StatusText>> = {
  1: 'channel-status.1',
  2: 'channel-status.2',
  3: 'channel-status.3',
};

const reasonOf = (info: string): string => {
  try {
    const parsed: unknown = JSON.parse(info);
    const reason = (parsed as { status_reason?: unknown } | null)?.status_reason;
    return typeof reason === 'string' ? reason : '';
  } catch {
    return '';
  }
};

/** One cell for each of the last 24 hours of the range. */
const Strip = ({ hours, end }: Readonly<{ hours: Health['hours']; end: number }>) => {
  const { t } = useTranslation('dashboard');
  const last = Math.floor(end / hourSeconds) * hourSeconds;
  const byHour = new Map(hours.map((hour) => [hour.at, hour]));
  const cells = Array.from(
    { length: shownHours },
    (_, at) => last - (shownHours - 1 - at) * hourSeconds,
  );
  const textOf = (at: number) => {
    const { calls = 0, errors = 0 } = byHour.get(at) ?? {};
    return t('strip-hour', {
      time: formatSeconds(at).slice(5, 16),
      calls: t('ranking-calls', { count: calls, calls }),
      errors: t('strip-errors', { count: errors, errors }),
    });
  };
  const failed = hours.filter((hour) => toneOf(errorRate(hour)) !== 'good').length;
  return (
    <span className="health-strip" role="img" aria-label={t('strip', { count: failed })}>
      {cells.map((at) => {
        const hour = byHour.get(at);
        const tone = hour === undefined ? 'none' : toneOf(errorRate(hour));
        return <i key={at} className={`is-${tone}`} title={textOf(at)} />;
      })}
    </span>
  );
};

const columnsOf = (
  t: TFunction<'dashboard'>,
  { view, end }: Readonly<{ view: OverviewView; end: number }>,
): readonly Column<Row>[] => [
  {
    key: 'name',
    title: t('column.channel'),
    card: 'title',
    render: ({ id, name }) => (
      <Link to={logLink(view, { channel: String(id) })}>{name || `#${id}`}</Link>
    ),
  },
  {
    key: 'state',
    title: t('column.state'),
    width: 190,
    card: 'line',
    render: ({ state, cooling_until }) => {
      const text = state && statusTexts[state.status];
      if (!state || !text) return <span className="muted">{t('channel-status.gone')}</span>;
      if (state.status === enabled && cooling_until > 0) {
        return (
          <StatusDot tone="warn" title={t('cooling-hint')}>
            {t('cooling', { time: formatSeconds(cooling_until).slice(11) })}
          </StatusDot>
        );
      }
      return (
        <StatusDot tone={tones[state.status] ?? 'idle'} title={state.reason}>
          {t(text)}
        </StatusDot>
      );
    },
  },
  {
    key: 'strip',
    title: t('column.last-hours'),
    width: 190,
    card: 'line',
    render: ({ hours }) => <Strip hours={hours} end={end} />,
  },
  {
    key: 'calls',
    title: t('column.calls'),
    width: 90,
    isNumber: true,
    render: ({ calls, errors }) => formatUnits(calls + errors),
  },
  {
    key: 'rate',
    title: t('column.error-rate'),
    width: 100,
    isNumber: true,
    card: 'line',
    render: (row) => (
      <Link
        className={`rate is-${toneOf(errorRate(row))}`}
        to={logLink(view, { channel: String(row.id), type: '5' })}
      >
        {asPercent(errorRate(row))}
      </Link>
    ),
  },
  {
    key: 'median',
    title: t('column.median'),
    width: 100,
    isNumber: true,
    render: ({ median_ms }) => asSeconds(median_ms),
  },
  {
    key: 'p95',
    title: 'p95',
    width: 90,
    isNumber: true,
    render: ({ p95_ms }) => asSeconds(p95_ms),
  },
  {
    key: 'first',
    title: t('figure.first-token'),
    width: 110,
    isNumber: true,
    render: ({ first_token_ms }) => asSeconds(first_token_ms),
  },
];

/** How each channel answered, those that are switched off included. */
export const ChannelHealth = ({ view }: Readonly<{ view: OverviewView }>) => {
  const { t } = useTranslation('dashboard');
  const health = useChannelHealth(view);
  const states = useChannelStates().data;
  const byId = new Map(
    (states ?? []).map(({ id, status, other_info }): [number, State] => [
      id,
      { status, reason: reasonOf(other_info) },
    ]),
  );
  const rows = health.data?.map((row) => ({ ...row, state: byId.get(row.id) ?? null }));
  const end = Math.min(view.end, Math.floor(Date.now() / 1000));
  return (
    <section className="panel">
      <header className="panel-head">
        <h2 className="panel-title">{t('health')}</h2>
        <Link to={paths.channel}>{t('to-channels')}</Link>
      </header>
      {health.data && <ChannelCharts channels={health.data} />}
      <DataTable
        label={t('health')}
        columns={columnsOf(t, { view, end })}
        rows={rows}
        rowKey={({ id }) => id}
        isBusy={health.isFetching}
        expectedRows={2}
        empty={<EmptyState icon={<Intersection size={36} />} title={t('empty')} />}
      />
    </section>
  );
};
