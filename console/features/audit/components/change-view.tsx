import { Button } from '@blueprintjs/core';
import { Lock } from '@blueprintjs/icons';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { formatSeconds } from '../../../shared/format/time.ts';
import type { AuditChange, AuditFilters, AuditRow } from '../api/audit.ts';
import { changesToShow, diffLines, fieldText } from './change-text.ts';
import type { DiffLine } from './diff.ts';
import { actorName, reasonText, sentenceOf, subjectName } from './sentence.ts';
import { useReader } from './use-reader.ts';

const Line = ({ line: { sign, text, title } }: Readonly<{ line: DiffLine }>) => {
  if (sign === '') return <span title={title}>{text}</span>;
  return sign === '-' ? (
    <del title={title}>{`- ${text}`}</del>
  ) : (
    <ins title={title}>{`+ ${text}`}</ins>
  );
};

const Change = ({ change, row }: Readonly<{ change: AuditChange; row: AuditRow }>) => {
  const reader = useReader();
  const { t } = reader;
  const name = fieldText(change.field, row, reader) || t('new-value');
  const lines = diffLines(change, row, reader);
  return (
    <section className="diff" aria-label={name}>
      <h3>{name}</h3>
      {lines.length === 0 && <p className="subtle">{t('no-difference')}</p>}
      {lines.map((line) => (
        <Line key={line.sign + line.text} line={line} />
      ))}
    </section>
  );
};

type Props = Readonly<{
  row: AuditRow;
  /** For administrators: the same person, or the same thing. */
  onFilter?: (changes: Partial<AuditFilters>) => void;
}>;

const Narrow = ({ row, onFilter }: Required<Props>) => {
  const { t } = useReader();
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
  const reader = useReader();
  const { t } = reader;
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
            <dd>{reasonText(row, reader)}</dd>
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
        <section
          key={field}
          className="diff"
          aria-label={fieldText(field, row, reader) || t('new-value')}
        >
          <h3>{fieldText(field, row, reader) || t('new-value')}</h3>
          <p className="subtle">
            <Lock size={12} /> {t('secret-changed')}
          </p>
        </section>
      ))}
      {row.changes.length + row.secrets.length === 0 && <p className="subtle">{t('no-values')}</p>}
      {changesToShow(row).map((change) => (
        <Change key={change.field} change={change} row={row} />
      ))}
    </div>
  );
};
