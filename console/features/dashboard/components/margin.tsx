import { Classes } from '@blueprintjs/core';
import { Intersection } from '@blueprintjs/icons';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Amount } from '../../../shared/components/amount.tsx';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { formatQuota, formatUnits } from '../../../shared/format/quota.ts';
import { channelEdit, paths } from '../../../shared/paths.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import {
  type MarginOverview,
  type MarginRow,
  type OverviewView,
  useMargin,
} from '../api/overview.ts';
import { asMarginRate, changeOf } from './change.ts';
import { ChangeText, type Meaning } from './change-text.tsx';
import { logLink } from './log-link.ts';

const charges = '2';

/** One is the other less the third: all are written alike. */
const amountsOf = ({ revenue, cost, margin }: MarginRow) => [revenue, cost ?? 0, margin ?? 0];

const columnsOf = (t: TFunction<'dashboard'>, view: OverviewView): readonly Column<MarginRow>[] => [
  {
    key: 'channel',
    title: t('column.channel'),
    card: 'title',
    render: ({ id, name }) => (
      <Link to={logLink(view, { channel: String(id), type: charges })}>{name || `#${id}`}</Link>
    ),
  },
  {
    key: 'calls',
    title: t('column.calls'),
    width: 110,
    isNumber: true,
    card: 'line',
    render: ({ calls }) => formatUnits(calls),
  },
  {
    key: 'revenue',
    title: t('margin.revenue'),
    width: 130,
    isNumber: true,
    card: 'line',
    amounts: amountsOf,
    render: ({ revenue }, places) => <Amount units={revenue} places={places} />,
  },
  {
    key: 'uncosted',
    title: t('margin.uncosted'),
    help: t('margin.uncosted-hint'),
    width: 150,
    isNumber: true,
    amounts: amountsOf,
    render: ({ revenue, costed_revenue, uncosted_calls }, places) =>
      uncosted_calls === 0 ? '–' : <Amount units={revenue - costed_revenue} places={places} />,
  },
  {
    key: 'cost',
    title: t('margin.cost'),
    width: 150,
    isNumber: true,
    card: 'line',
    amounts: amountsOf,
    render: ({ id, name, cost }, places) => {
      if (cost !== null) return <Amount units={cost} places={places} />;
      if (name === '') return <span className="muted">{t('margin.unknown')}</span>;
      return <Link to={channelEdit(id)}>{t('margin.enter-cost')}</Link>;
    },
  },
  {
    key: 'margin',
    title: t('margin.margin'),
    width: 130,
    isNumber: true,
    card: 'figure',
    amounts: amountsOf,
    render: ({ margin }, places) =>
      margin === null ? '–' : <Amount units={margin} places={places} />,
  },
  {
    key: 'rate',
    title: t('margin.rate'),
    width: 110,
    isNumber: true,
    card: 'line',
    render: ({ margin, costed_revenue }) =>
      margin === null ? '–' : asMarginRate(margin, costed_revenue),
  },
];

type FigureProps = Readonly<{
  id: 'revenue' | 'cost' | 'margin';
  data: MarginOverview;
  meaning: Meaning;
  note?: ReactNode;
}>;

const Figure = ({ id, data: { current, previous }, meaning, note }: FigureProps) => {
  const { t } = useTranslation('dashboard');
  const units = current[id];
  return (
    <div>
      <dt>{t(`margin.${id}`)}</dt>
      <dd>
        <span className="key-value">
          {units === null ? t('margin.unknown') : <Amount units={units} />} {note}
        </span>
        <ChangeText change={changeOf(units, previous[id])} meaning={meaning} />
      </dd>
    </div>
  );
};

const Figures = ({ data }: Readonly<{ data: MarginOverview }>) => {
  const { margin, costed_revenue } = data.current;
  return (
    <dl className="margin-figures">
      <Figure id="revenue" data={data} meaning="neutral" />
      <Figure id="cost" data={data} meaning="neutral" />
      <Figure
        id="margin"
        data={data}
        meaning="higher-is-better"
        note={margin !== null && <small>{asMarginRate(margin, costed_revenue)}</small>}
      />
    </dl>
  );
};

/** Names the calls that the margin leaves out, and where the cost of their channels is entered. */
const Unknown = ({ data: { current } }: Readonly<{ data: MarginOverview }>) => {
  const { t } = useTranslation('dashboard');
  const display = useQuotaDisplay();
  if (current.uncosted_calls === 0) return null;
  return (
    <p className="margin-note">
      {current.cost === null
        ? t('margin.no-cost')
        : t('margin.left-out', {
            count: current.uncosted_calls,
            calls: formatUnits(current.uncosted_calls),
            amount: formatQuota(current.revenue - current.costed_revenue, display),
          })}{' '}
      <Link to={paths.channel}>{t('to-channels')}</Link>
    </p>
  );
};

/** What the calls of each channel brought in, and what their providers charge for them. */
export const Margin = ({ view }: Readonly<{ view: OverviewView }>) => {
  const { t } = useTranslation('dashboard');
  const { data, isFetching } = useMargin(view);
  return (
    <section className="panel">
      <header className="panel-head">
        <h2 className="panel-title">{t('margin.title')}</h2>
      </header>
      {data ? <Figures data={data} /> : <div className={`margin-figures ${Classes.SKELETON}`} />}
      <p className="margin-note">{t('margin.hint')}</p>
      {data && <Unknown data={data} />}
      <DataTable
        label={t('margin.table')}
        columns={columnsOf(t, view)}
        rows={data?.channels}
        rowKey={({ id }) => id}
        isBusy={isFetching}
        expectedRows={2}
        empty={<EmptyState icon={<Intersection size={36} />} title={t('empty')} />}
      />
    </section>
  );
};
