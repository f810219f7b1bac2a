import type { Break, VerifyReport } from '../../infra/ports/verify.ts';
import type { VerifyBreakRow, VerifyReportRow } from '../contract/verify.ts';

const breakRow = ({ kind, eventId, streamId, position, row, detail }: Break): VerifyBreakRow => ({
  kind,
  event_id: eventId ?? '',
  stream_id: streamId ?? '',
  position: position ?? '',
  row: row ?? '',
  detail,
});

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1_000);

export const reportRow = (report: VerifyReport): VerifyReportRow => ({
  started_at: secondsOf(report.startedAt),
  finished_at: secondsOf(report.finishedAt),
  head: report.head ?? '',
  events: report.events,
  accounts: report.accounts,
  rows: report.rows,
  requests: report.requests,
  leases: report.leases,
  breaks: report.breaks.map(breakRow),
  break_counts: report.breakCounts,
  notes: [...report.notes],
});
