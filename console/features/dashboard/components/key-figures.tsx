import { Classes } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Sparkline } from '../../../shared/charts/charts.tsx';
import { Amount } from '../../../shared/components/amount.tsx';
import { formatUnits } from '../../../shared/format/quota.ts';
import type { OverviewPoint, OverviewView, UsageOverview } from '../api/overview.ts';
import { asPercent, asSeconds, type Change, changeOf, errorRate } from './change.ts';
import { ChangeText, type Meaning } from './change-text.tsx';
import { logLink } from './log-link.ts';

type Figure = Readonly<{
  id: 'spend' | 'calls' | 'errors' | 'latency' | 'first-token';
  value: ReactNode;
  /** A second figure of the same kind. */
  note?: string;
  change: Change | null;
  meaning: Meaning;
  /** Type of the entries behind it. */
  type: '2' | '5';
  line: (point: OverviewPoint) => number | null;
}>;

const figuresOf = ({ current, previous }: UsageOverview): readonly Figure[] => [
  {
    id: 'spend',
    value: <Amount units={current.quota} />,
    change: changeOf(current.quota, previous.quota),
    meaning: 'neutral',
    type: '2',
    line: ({ quota }) => quota,
  },
  {
    id: 'calls',
    value: formatUnits(current.calls),
    change: changeOf(current.calls, previous.calls),
    meaning: 'neutral',
    type: '2',
    line: ({ calls }) => calls,
  },
  {
    id: 'errors',
    value: formatUnits(current.errors),
    note: asPercent(errorRate(current)),
    change: changeOf(current.errors, previous.errors),
    meaning: 'lower-is-better',
    type: '5',
    line: ({ errors }) => errors,
  },
  {
    id: 'latency',
    value: asSeconds(current.median_ms),
    ...(current.p95_ms !== null && { note: `p95 ${asSeconds(current.p95_ms)}` }),
    change: changeOf(current.median_ms, previous.median_ms),
    meaning: 'lower-is-better',
    type: '2',
    line: ({ median_ms }) => median_ms,
  },
  {
    id: 'first-token',
    value: asSeconds(current.first_token_ms),
    change: changeOf(current.first_token_ms, previous.first_token_ms),
    meaning: 'lower-is-better',
    type: '2',
    line: ({ first_token_ms }) => first_token_ms,
  },
];

/** Pixels. */
const lineHeight = 28;

const waitingIds = ['spend', 'calls', 'errors', 'latency', 'first-token'] as const;

type Props = Readonly<{ overview: UsageOverview | undefined; view: OverviewView }>;

/** Totals of the range, against the period before; each leads to the calls behind it. */
export const KeyFigures = ({ overview, view }: Props) => {
  const { t } = useTranslation('dashboard');
  if (overview === undefined) {
    return (
      <ul className="key-figures" aria-busy>
        {waitingIds.map((id) => (
          <li key={id} className="panel key-figure">
            <span className="key-label">{t(`figure.${id}`)}</span>
            <span className={`key-value ${Classes.SKELETON}`}>$0.00</span>
            <span className={`change ${Classes.SKELETON}`}>{t('change.same')}</span>
            <div className="chart" style={{ height: lineHeight }} />
          </li>
        ))}
      </ul>
    );
  }
  const { start, end } = overview.current;
  return (
    <ul className="key-figures">
      {figuresOf(overview).map(({ id, value, note, change, meaning, type, line }) => (
        <li key={id}>
          <Link className="panel key-figure" to={logLink({ ...view, start, end }, { type })}>
            <span className="key-label">{t(`figure.${id}`)}</span>
            <span className="key-value">
              {value} {note && <small>{note}</small>}
            </span>
            <ChangeText change={change} meaning={meaning} />
            <Sparkline values={overview.points.map(line)} height={lineHeight} />
          </Link>
        </li>
      ))}
    </ul>
  );
};
