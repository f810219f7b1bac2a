import { Fragment } from 'react';
import type { Column } from '../../../shared/components/columns.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import type { AuditRow } from '../api/audit.ts';
import { changesInShort } from './change-text.ts';
import { reasonText, sentenceOf } from './sentence.ts';
import type { Reader } from './shown-value.ts';

const Sentence = ({ row, reader }: Readonly<{ row: AuditRow; reader: Reader }>) => {
  const { t } = reader;
  const reason = reasonText(row, reader);
  return (
    <span className="audit-entry">
      <span>{sentenceOf(row, t)}</span>
      {changesInShort(row, reader).map(({ text, title }, index) => (
        <Fragment key={text}>
          <span className="muted">{index === 0 ? ' · ' : t('change-separator')}</span>
          <span className="muted" title={title}>
            {text}
          </span>
        </Fragment>
      ))}
      {reason && (
        <>
          <span className="muted"> · </span>
          <em>{reason}</em>
        </>
      )}
    </span>
  );
};

/** Heading of the entries of one day. */
export const dayOf = ({ at }: AuditRow, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'full' }).format(new Date(at * 1000));

export const auditColumns = (reader: Reader): readonly Column<AuditRow>[] => [
  {
    key: 'at',
    title: reader.t('column.at'),
    width: 92,
    card: 'line',
    render: ({ at }) => <span title={formatSeconds(at)}>{formatSeconds(at).slice(11)}</span>,
  },
  {
    key: 'what',
    title: reader.t('column.what'),
    card: 'title',
    render: (row) => <Sentence row={row} reader={reader} />,
  },
  {
    key: 'ip',
    title: reader.t('column.ip'),
    width: 140,
    card: 'aside',
    render: ({ ip }) => <code>{ip}</code>,
  },
];
