import type { Cell } from './matrix.ts';

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

const markOf = (cell: Cell | undefined): string => {
  if (cell === undefined || cell.kind === 'not offered') return '–';
  if (cell.kind === 'gap') return 'gap';
  return cell.why === '' ? 'ok' : 'FAIL';
};

/** One line for each client and channel, and below it why a cell is not `ok`. */
export const tableOf = (cells: readonly Cell[]): string => {
  const names = distinct(cells.map(({ cell }) => cell));
  const rows = distinct(cells.map(({ client, column }) => `${client} × ${column}`)).map((row) => {
    const own = cells.filter(({ client, column }) => `${client} × ${column}` === row);
    const marks = names.map((name) => markOf(own.find(({ cell }) => cell === name)));
    return `| ${row} | ${marks.join(' | ')} |`;
  });
  const reasons = cells
    .filter(({ why }) => why !== '')
    .map((own) => ({ ...own, reason: `${own.kind}: ${own.client}, ${own.cell}: ${own.why}` }));
  const grouped = distinct(reasons.map(({ reason }) => reason)).map((reason) => {
    const places = reasons.filter((own) => own.reason === reason).map(({ column }) => column);
    return `${reason} (${places.join(', ')})`;
  });
  return [
    `| client × channel | ${names.join(' | ')} |`,
    `|---|${names.map(() => '---|').join('')}`,
    ...rows,
    '',
    ...grouped,
  ].join('\n');
};
