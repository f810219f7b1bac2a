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
    .map(([name, value]) => `${name} is ${String(row[name])}, expected ${String(value)}`);

/** Compares rows with what the log leads to; resolves to the number of rows. */
export const compareRows = async <R extends Fields>({
  findings,
  table,
  rows,
  expected,
  keyOf,
}: Comparison<R>): Promise<number> => {
  let count = 0;
  for await (const found of rows) {
    count += 1;
    const key = keyOf(found);
    const row = `${table}/${key}`;
    const due = expected.get(key);
    expected.delete(key);
    if (due === undefined) {
      const detail = 'no event of the log explains this row';
      findings.ofRow({ kind: 'row-unexpected', row, detail });
      continue;
    }
    const problems = differences(found, due);
    if (problems.length > 0) {
      findings.ofRow({ kind: 'row-differs', row, detail: problems.join('; ') });
    }
  }
  for (const key of expected.keys()) {
    const detail = 'the read model does not have this row';
    findings.ofRow({ kind: 'row-missing', row: `${table}/${key}`, detail });
  }
  return count;
};
