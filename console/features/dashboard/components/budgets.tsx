import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useSelf } from '../../../shared/account.ts';
import { Amount } from '../../../shared/components/amount.tsx';
import { paths } from '../../../shared/paths.ts';
import { type Span, useOwnOverview, useOwnTokens } from '../api/overview.ts';
import { daysLeft } from './change.ts';

type Budget = Readonly<{
  key: string;
  name: string;
  to: string;
  left: number;
  /** null: no budget, only what is left. */
  total: number | null;
  spent: number;
}>;

const shown = 5;

const Lasts = ({
  left,
  spent,
  seconds,
}: Readonly<{ left: number; spent: number; seconds: number }>) => {
  const { t } = useTranslation('dashboard');
  const days = daysLeft(left, { spent, seconds });
  if (days === 0) return <span className="change is-worse">{t('lasts.used-up')}</span>;
  if (days === null)
    return <span className="muted">{t(spent > 0 ? 'lasts.year' : 'lasts.unused')}</span>;
  const isSoon = days < 7;
  const text =
    days < 1
      ? t('lasts.hours', { count: Math.max(1, Math.round(days * 24)) })
      : t('lasts.days', { count: Math.round(days) });
  return <span className={isSoon ? 'change is-worse' : 'muted'}>{text}</span>;
};

/** The balance and the keys with a budget: what is left, and for how long at this pace. */
export const Budgets = ({ start, end }: Span) => {
  const { t } = useTranslation('dashboard');
  const self = useSelf().data;
  const tokens = useOwnTokens().data;
  const own = useOwnOverview({ start, end }).data;
  const spentBy = new Map((own?.tokens ?? []).map(({ id, quota }) => [id, quota]));
  const seconds = own === undefined ? 0 : own.current.end - own.current.start + 1;
  const budgets: readonly Budget[] = [
    {
      key: 'balance',
      name: t('fact.balance'),
      to: paths.ledger,
      left: self?.quota ?? 0,
      total: null,
      spent: own?.current.quota ?? 0,
    },
    ...(tokens ?? [])
      .filter(({ unlimited_quota }) => !unlimited_quota)
      .sort((a, b) => (spentBy.get(b.id) ?? 0) - (spentBy.get(a.id) ?? 0))
      .slice(0, shown)
      .map(({ id, name, remain_quota, used_quota }) => ({
        key: String(id),
        name,
        to: paths.token,
        left: remain_quota,
        total: remain_quota + used_quota,
        spent: spentBy.get(id) ?? 0,
      })),
  ];
  return (
    <section className="panel panel-body ranking">
      <h2 className="panel-title">{t('budgets')}</h2>
      <ol>
        {self &&
          budgets.map(({ key, name, to, left, total, spent }) => (
            <li key={key} className="is-text">
              <span className="ranking-name">
                <Link to={to}>{name}</Link>
              </span>
              <Amount units={left} />
              {total !== null && (
                <progress value={total > 0 ? Math.max(0, left) / total : 0} aria-hidden />
              )}
              <span className="ranking-text">
                <Lasts left={left} spent={spent} seconds={seconds} />
              </span>
            </li>
          ))}
      </ol>
    </section>
  );
};
