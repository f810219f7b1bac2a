import { formatSeconds } from '../../../shared/format/time.ts';
import type { LogRow } from '../api/logs.ts';

/** A cell that begins like a formula would run in a spreadsheet. */
export const csvCell = (value: string | number): string => {
  const text = String(value);
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
};

export type CsvTexts = Readonly<{
  head: readonly string[];
  type: (type: number) => string;
  cost: (quota: number) => string;
  isAdmin: boolean;
}>;

const cellsOf = (row: LogRow, texts: CsvTexts): readonly (string | number)[] => [
  formatSeconds(row.created_at),
  texts.isAdmin ? row.channel : '',
  texts.isAdmin ? row.username : '',
  row.token_name,
  row.group,
  texts.type(row.type),
  row.model_name,
  row.use_time,
  row.prompt_tokens,
  row.completion_tokens,
  texts.cost(row.quota),
  row.content,
];

/** With a byte-order mark, so that spreadsheets read Chinese. */
export const toCsv = (rows: readonly LogRow[], texts: CsvTexts): string => {
  const lines = [texts.head, ...rows.map((row) => cellsOf(row, texts))];
  return `\uFEFF${lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}`;
};
