import { Button, Tag } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { formatUnits } from '../../../shared/format/quota.ts';
import type { VerifyBreakRow, VerifyReportRow } from '../api/verify.ts';
import { kindText } from './kinds.ts';

const placeOf = (finding: VerifyBreakRow): string => finding.event_id || finding.row;

/** Discrepancies by kind; a kind is a filter over the ones listed. */
export const Findings = ({ report }: Readonly<{ report: VerifyReportRow }>) => {
  const { t } = useTranslation('verify');
  const [kind, setKind] = useState<string | null>(null);
  const counts = Object.entries(report.break_counts);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const shown = report.breaks.filter((finding) => kind === null || finding.kind === kind);
  const columns: readonly Column<VerifyBreakRow>[] = [
    { key: 'kind', title: t('column.kind'), render: (finding) => kindText(finding.kind, t) },
    {
      key: 'place',
      title: t('column.place'),
      render: (finding) => (
        <span>
          {placeOf(finding) !== '' && <CopyTag colour="grey" text={placeOf(finding)} />}
          <small className="subtle block">{finding.stream_id}</small>
        </span>
      ),
    },
    {
      key: 'position',
      title: t('column.position'),
      isNumber: true,
      render: ({ position }) => position,
    },
    {
      key: 'detail',
      title: t('column.detail'),
      render: ({ detail }) => <span className="plain-text">{detail}</span>,
    },
  ];
  return (
    <section className="panel" aria-label={t('findings')}>
      <div className="toolbar is-second">
        <Button
          size="small"
          active={kind === null}
          text={t('all-kinds')}
          endIcon={<Tag round>{formatUnits(total)}</Tag>}
          onClick={() => setKind(null)}
        />
        {counts.map(([name, count]) => (
          <Button
            key={name}
            size="small"
            active={kind === name}
            text={kindText(name, t)}
            endIcon={
              <Tag round intent="danger">
                {formatUnits(count)}
              </Tag>
            }
            onClick={() => setKind(name)}
          />
        ))}
      </div>
      <DataTable
        label={t('findings')}
        columns={columns}
        rows={shown}
        rowKey={(finding) =>
          `${finding.kind} ${placeOf(finding)} ${finding.position} ${finding.detail}`
        }
        isBusy={false}
        empty={<p className="panel-body">{t('not-listed')}</p>}
      />
    </section>
  );
};
