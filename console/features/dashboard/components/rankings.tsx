import { useTranslation } from 'react-i18next';
import { type OverviewView, useOverview } from '../api/overview.ts';
import { Budgets } from './budgets.tsx';
import { LatestErrors } from './latest-errors.tsx';
import { logLink } from './log-link.ts';
import { Ranking } from './ranking.tsx';

type RankingsProps = Readonly<{ view: OverviewView }>;

/** Who and what cost most, what is left, and what failed last. */
export const Rankings = ({ view }: RankingsProps) => {
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
