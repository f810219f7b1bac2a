import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Moment } from '../../../shared/components/moment.tsx';
import { type OverviewView, useLatestErrors } from '../api/overview.ts';
import { logLink } from './log-link.ts';

/** The newest calls that failed, and why. */
export const LatestErrors = ({ view }: Readonly<{ view: OverviewView }>) => {
  const { t } = useTranslation('dashboard');
  const rows = useLatestErrors(view).data;
  return (
    <section className="panel panel-body ranking">
      <header>
        <h2 className="panel-title">{t('latest-errors')}</h2>
        <Link to={logLink(view, { type: '5' })}>{t('all-errors')}</Link>
      </header>
      <ol>
        {rows?.map((row) => (
          <li key={row.id} className="is-text">
            <span className="ranking-name">{row.model_name || t('unknown-model')}</span>
            <span className="ranking-calls">
              <Moment at={row.created_at} />
            </span>
            <span className="ranking-text" title={row.content}>
              {row.content}
            </span>
          </li>
        ))}
      </ol>
      {rows?.length === 0 && <p className="muted">{t('no-errors')}</p>}
    </section>
  );
};
