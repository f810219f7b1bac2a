import type { TFunction } from 'i18next';
import type { Column } from '../../../shared/components/columns.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import type { AuditRow } from '../api/audit.ts';
import { changesText, sentenceOf } from './sentence.ts';

type Translate = TFunction<'audit'>;

const Sentence = ({ row, t }: Readonly<{ row: AuditRow; t: Translate }>) => {
  const changes = changesText(row, t);
  return (
    <>
      {sentenceOf(row, t)}
      {changes && (
        <>
          <span className="muted"> · </span>
          <span className="muted">{changes}</span>
        </>
      )}
      {row.reason && (
        <>
          <span className="muted"> · </span>
          <em>{row.reason}</em>
        </>
      )}
    </>
  );
};

/** Heading of the entries of one day. */
export const dayOf = ({ at }: AuditRow, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'full' }).format(new Date(at * 1000));

export const auditColumns = (t: Translate): readonly Column<AuditRow>[] => [
  {
    key: 'at',
    title: t('column.at'),
    width: 92,
    card: 'line',
    render: ({ at }) => <span title={formatSeconds(at)}>{formatSeconds(at).slice(11)}</span>,
  },
  {
    key: 'what',
    title: t('column.what'),
    card: 'title',
    render: (row) => <Sentence row={row} t={t} />,
  },
  {
    key: 'ip',
    title: t('column.ip'),
    width: 140,
    card: 'aside',
    render: ({ ip }) => <code>{ip}</code>,
  },
];
