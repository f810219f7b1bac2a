import type { Break, VerifyReport } from '../ports/verify.ts';

type Line = readonly [string, string];

const aligned = (lines: readonly Line[]): string => {
  const width = Math.max(...lines.map(([label]) => label.length));
  return lines.map(([label, value]) => `  ${label.padEnd(width)}  ${value}\n`).join('');
};

const placeOf = ({ eventId, streamId, position, row }: Break): string => {
  if (row !== null) return row;
  return [
    `event ${eventId}`,
    `in ${streamId}`,
    ...(position === null ? [] : [`at ${position}`]),
  ].join(' ');
};

/** The report as a person reads it at a terminal. */
export const reportText = (report: VerifyReport): string => {
  const { requests, leases, breaks, breakCounts, notes } = report;
  const facts = aligned([
    ['events', String(report.events)],
    ['head of the log', report.head ?? 'empty'],
    ['accounts', String(report.accounts)],
    ['requests charged', String(requests.charged)],
    ['requests failed', String(requests.failed)],
    ['requests abandoned', String(requests.abandoned)],
    ['requests open', String(requests.open)],
    ['leases', `${leases.opened} opened, ${leases.closed} closed, ${leases.alive} alive`],
    ['rows compared', String(report.rows)],
  ]);
  const notesText = notes.map((note) => `  note: ${note}\n`).join('');
  const counts = Object.entries(breakCounts).map(([kind, count]): Line => [kind, String(count)]);
  if (counts.length === 0) return `${facts}${notesText}\nThe books add up: no break was found.\n`;
  const listed = breaks
    .map((found) => `  ${found.kind}: ${placeOf(found)}\n    ${found.detail}\n`)
    .join('');
  return `${facts}${notesText}\nThe books are broken:\n${aligned(counts)}\n${listed}`;
};
