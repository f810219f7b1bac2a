import type { Findings } from '../findings.ts';

type Fields = Readonly<Record<string, unknown>>;
type Comparison<R extends Fields> = Readonly<{
  findings: Findings;
  /** `user_list.users` */
  table: string;
  rows: AsyncIterable<R>;
  /** By the text of the row's key. What was met is taken out. */
  expected: Map<string, R>;
  keyOf: (row: R) => string;
}>;

const differences = (row: Fields, due: Fields): string[] =>
  Object.entries(due)
    .filter(([name, value]) => row[name] !== value)
    .map(([name, value]) => `${name} is ${String(row[name])}, the log says ${String(value)}`);

/** Holds rows against what the log makes of them; answers how many there were. */
export const compareRows = async <R extends Fields>({
  findings,
  table,
  rows,
  expected,
  keyOf,
}: Comparison<R>): Promise<number> => {
  let count = 0;
  for await (const row of rows) {
    count += 1;
    const key = keyOf(row);
    const due = expected.get(key);
    if (due === undefined) {
      findings.ofRow('row-unexpected', `${table}/${key}`, 'the log knows of no such thing');
      continue;
    }
    expected.delete(key);
    const problems = differences(row, due);
    if (problems.length > 0) findings.ofRow('row-differs', `${table}/${key}`, problems.join('; '));
  }
  for (const key of expected.keys()) {
    findings.ofRow('row-missing', `${table}/${key}`, 'the log has it, the read model has not');
  }
  return count;
};
