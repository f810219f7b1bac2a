import { Callout } from '@blueprintjs/core';
import { TickCircle, WarningSign } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { formatUnits } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import type { VerifyReportRow } from '../api/verify.ts';
import { Findings } from './findings.tsx';

const Figures = ({ report }: Readonly<{ report: VerifyReportRow }>) => {
  const { t } = useTranslation('verify');
  const { requests, leases } = report;
  const figures = [
    [t('figure.events'), report.events, ''],
    [t('figure.accounts'), report.accounts, ''],
    [
      t('figure.requests'),
      requests.charged + requests.failed + requests.abandoned + requests.open,
      t('figure.requests-text', {
        charged: formatUnits(requests.charged),
        failed: formatUnits(requests.failed),
        abandoned: formatUnits(requests.abandoned),
        open: formatUnits(requests.open),
      }),
    ],
    [
      t('figure.leases'),
      leases.opened,
      t('figure.leases-text', {
        closed: formatUnits(leases.closed),
        alive: formatUnits(leases.alive),
      }),
    ],
    [t('figure.rows'), report.rows, ''],
  ] as const;
  return (
    <dl className="stats ledger-stats">
      {figures.map(([name, value, note]) => (
        <div key={name} className="panel stat">
          <dt>{name}</dt>
          <dd>
            {formatUnits(value)}
            {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
};

/** What the last run found; the verdict first. */
export const ReportView = ({ report }: Readonly<{ report: VerifyReportRow }>) => {
  const { t } = useTranslation('verify');
  const total = Object.values(report.break_counts).reduce((sum, count) => sum + count, 0);
  const isClean = total === 0 && report.breaks.length === 0;
  return (
    <>
      <Callout
        intent={isClean ? 'success' : 'danger'}
        icon={isClean ? <TickCircle /> : <WarningSign />}
        title={isClean ? t('clean') : t('broken', { count: total })}
      >
        {t('last-run', {
          at: formatSeconds(report.finished_at),
          seconds: report.finished_at - report.started_at,
          head: report.head || '–',
        })}
      </Callout>
      <Figures report={report} />
      {report.notes.length > 0 && (
        <Callout intent="warning" compact title={t('notes')}>
          <ul>
            {report.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Callout>
      )}
      {!isClean && <Findings report={report} />}
    </>
  );
};
