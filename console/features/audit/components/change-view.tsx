import { Button } from '@blueprintjs/core';
import { Lock } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { formatSeconds } from '../../../shared/format/time.ts';
import type { AuditChange, AuditFilters, AuditRow } from '../api/audit.ts';
import { diffOf } from './diff.ts';
import { actorName, fieldText, sentenceOf, subjectName } from './sentence.ts';

const Change = ({ change }: Readonly<{ change: AuditChange }>) => {
  const { t } = useTranslation('audit');
  const lines = diffOf(change);
  return (
    <section className="diff" aria-label={change.field}>
      <h3 title={change.field}>{fieldText(change.field, t)}</h3>
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

type Props = Readonly<{
  row: AuditRow;
  /** For administrators: the same person, or the same thing. */
  onFilter?: (changes: Partial<AuditFilters>) => void;
}>;

const Narrow = ({ row, onFilter }: Required<Props>) => {
  const { t } = useTranslation('audit');
  const { kind, id } = row.subject;
  return (
    <p className="button-row">
      {row.actor.id !== '' && (
        <Button
          size="small"
          text={t('all-by', { name: actorName(row, t) })}
          onClick={() => onFilter({ actor: row.actor.id })}
        />
      )}
      {id !== '' && (
        <Button
          size="small"
          text={t('all-about', { name: subjectName(row, t) })}
          onClick={() => onFilter({ subject_kind: kind, subject_id: id })}
        />
      )}
    </p>
  );
};

/** Before and after of one act, field by field. */
export const ChangeView = ({ row, onFilter }: Props) => {
  const { t } = useTranslation('audit');
  return (
    <div className="audit-details">
      <p className="audit-sentence">{sentenceOf(row, t)}</p>
      <p className="subtle">
        {formatSeconds(row.at)} {row.ip}
      </p>
      {onFilter && <Narrow row={row} onFilter={onFilter} />}
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
          <h3 title={field}>{fieldText(field, t)}</h3>
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
