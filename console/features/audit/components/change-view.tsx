import { Lock } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import type { AuditChange, AuditRow } from '../api/audit.ts';
import { diffOf } from './diff.ts';

const Change = ({ change }: Readonly<{ change: AuditChange }>) => {
  const { t } = useTranslation('audit');
  const lines = diffOf(change);
  return (
    <section className="diff" aria-label={change.field}>
      <h3>{change.field}</h3>
      {lines.length === 0 && <p className="subtle">{t('no-difference')}</p>}
      {lines.map(({ sign, text }) =>
        sign === '-' ? (
          <del key={`-${text}`}>{`- ${text}`}</del>
        ) : (
          <ins key={`+${text}`}>{`+ ${text}`}</ins>
        ),
      )}
    </section>
  );
};

/** Before and after of one act, field by field. */
export const ChangeView = ({ row }: Readonly<{ row: AuditRow }>) => {
  const { t } = useTranslation('audit');
  return (
    <div className="audit-details">
      <dl className="facts">
        <div className="facts-row">
          <dt>{t('place')}</dt>
          <dd>
            <CopyTag colour="grey" text={row.event_id} />
          </dd>
        </div>
        {row.reason && (
          <div className="facts-row">
            <dt>{t('reason')}</dt>
            <dd>{row.reason}</dd>
          </div>
        )}
        {row.request_id !== '' && (
          <div className="facts-row">
            <dt>{t('request')}</dt>
            <dd>
              <CopyTag colour="grey" text={row.request_id} />
            </dd>
          </div>
        )}
      </dl>
      {row.secrets.map((field) => (
        <section key={field} className="diff" aria-label={field}>
          <h3>{field}</h3>
          <p className="subtle">
            <Lock size={12} /> {t('secret-changed')}
          </p>
        </section>
      ))}
      {row.changes.length + row.secrets.length === 0 && <p className="subtle">{t('no-values')}</p>}
      {row.changes.map((change) => (
        <Change key={change.field} change={change} />
      ))}
    </div>
  );
};
