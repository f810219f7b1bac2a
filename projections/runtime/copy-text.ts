import type { Row } from './table.ts';

export type Column = Readonly<{ name: string; type: string }>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL knows no NUL
const special = /[\u0000\t\n\r\\]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, each of them
const specials = /[\u0000\t\n\r\\]/g;
const escapes: Readonly<Record<string, string>> = {
  '\u0000': '',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\\': '\\\\',
};
const escaped = (value: string): string =>
  special.test(value) ? value.replace(specials, (found) => escapes[found] ?? '') : value;

/** Rows in the text format of COPY: a line each, cells between tabs. */
export const copyText = (columns: readonly Column[], rows: readonly Row[]): string => {
  const names = columns.map(({ name }) => name);
  const cells: string[] = names.map(() => '');
  let text = '';
  for (const row of rows) {
    for (let at = 0; at < cells.length; at += 1) {
      const value = row[names[at] ?? ''];
      if (typeof value === 'string') cells[at] = escaped(value);
      else cells[at] = value === null || value === undefined ? '\\N' : String(value);
    }
    text += `${cells.join('\t')}\n`;
  }
  return text;
};
