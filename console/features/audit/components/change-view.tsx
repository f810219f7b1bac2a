import { Lock } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import type { AuditChange, AuditRow } from '../api/audit.ts';
import { diffOf } from './diff.ts';

const Change = ({ change }: Readonly<{ change: AuditChange }>) => {
  const { t } = useTranslation('audit');
  const lines = change.isSecret ? [] : diffOf(change);
  return (
    <section className="diff" aria-label={change.field}>
      <h3>{change.field}</h3>
      {change.isSecret && (
        <p className="subtle">
          <Lock size={12} /> {t('secret-changed')}
        </p>
      )}
      {!change.isSecret && lines.length === 0 && <p className="subtle">{t('no-difference')}</p>}
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
            <CopyTag colour="grey" text={row.id} />
          </dd>
        </div>
        {row.reason !== '' && (
          <div className="facts-row">
            <dt>{t('reason')}</dt>
            <dd className="plain-text">{row.reason}</dd>
          </div>
        )}
      </dl>
      {row.changes.length === 0 && <p className="subtle">{t('no-values')}</p>}
      {row.changes.map((change) => (
        <Change key={change.field} change={change} />
      ))}
    </div>
  );
};
