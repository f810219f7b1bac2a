import type { TFunction } from 'i18next';
import type { Column } from '../../../shared/components/data-table.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { colourOfName } from '../../../shared/format/colour.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import type { AuditRow } from '../api/audit.ts';
import { fieldsOf } from './diff.ts';
import { actorText, subjectText, typeText } from './texts.ts';

type Translate = TFunction<'audit'>;

const Subject = ({ row, t }: Readonly<{ row: AuditRow; t: Translate }>) => {
  const { kind, id, name } = row.subject;
  const place = kind === 'option' || id === '' ? id : `#${id}`;
  return (
    <span>
      {subjectText(kind, t)} {name || place}
      {name !== '' && place !== '' && <small className="subtle block">{place}</small>}
    </span>
  );
};

const Actor = ({ row, t }: Readonly<{ row: AuditRow; t: Translate }>) => (
  <span className="nowrap">
    {row.actor.name || actorText(row.actor.kind, t)}
    {row.actor.name !== '' && (
      <small className="subtle block">{actorText(row.actor.kind, t)}</small>
    )}
  </span>
);

export const auditColumns = (t: Translate): readonly Column<AuditRow>[] => [
  {
    key: 'at',
    title: t('column.at'),
    render: ({ at }) => <span className="nowrap">{formatSeconds(at)}</span>,
  },
  { key: 'actor', title: t('column.actor'), render: (row) => <Actor row={row} t={t} /> },
  {
    key: 'type',
    title: t('column.type'),
    render: ({ type }) => <ToneTag colour={colourOfName(type)}>{typeText(type, t)}</ToneTag>,
  },
  { key: 'subject', title: t('column.subject'), render: (row) => <Subject row={row} t={t} /> },
  {
    key: 'changes',
    title: t('column.changes'),
    render: (row) => (
      <>
        <span className="two-lines">{fieldsOf(row)}</span>
        {row.reason && <small className="subtle two-lines">{row.reason}</small>}
      </>
    ),
  },
  { key: 'ip', title: t('column.ip'), render: ({ ip }) => <code>{ip}</code> },
];
