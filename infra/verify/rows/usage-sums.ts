import type { SumMismatch, VerifiedSums } from '../../ports/read-models.ts';
import type { Findings } from '../findings.ts';

/** Charges whose entries were pruned stay in the hourly sums under this type, for the dashboard. */
export const prunedCharge = -2;
export type EntryType = 1 | 2 | 3 | 4 | 5 | typeof prunedCharge;

type Sums = { count: number; quota: number; tokens: number };
/** By key and type in one number. */
export type DueSums = Map<number, Sums>;

const types = 16;
const keyOf = (key: number, type: number): number => key * types - prunedCharge + type;
const isPruned = (place: number): boolean => place % types === 0;
const nameOf = (place: number): string =>
  `${Math.floor(place / types)}/${(place % types) + prunedCharge}`;

/** Sums by one key, a user or an hour, and by the type of the entries. */
export class Margin {
  readonly #sums: DueSums = new Map();

  add(
    key: number,
    type: EntryType,
    { quota, tokens }: Readonly<{ quota: number; tokens: number }>,
  ): void {
    const place = keyOf(key, type);
    const sums = this.#sums.get(place);
    if (sums === undefined) {
      this.#sums.set(place, { count: 1, quota, tokens });
      return;
    }
    sums.count += 1;
    sums.quota += quota;
    sums.tokens += tokens;
  }

  copy(withPruned: boolean): DueSums {
    return new Map([...this.#sums].filter(([place]) => withPruned || !isPruned(place)));
  }
}

const isSame = (row: Readonly<Sums>, due: Sums): boolean =>
  row.count === due.count && row.quota === due.quota && row.tokens === due.tokens;

const shown = ({ count, quota, tokens }: Readonly<Sums>): string =>
  `${count} entries, ${quota} units, ${tokens} tokens`;

type Comparison = Readonly<{
  findings: Findings;
  table: string;
  rows: AsyncIterable<VerifiedSums>;
  due: DueSums;
}>;

/** Error entries: the log keeps them for a while only, so the read model may show more of them. */
const errorType = 5;

export const compareSums = async ({ findings, table, rows, due }: Comparison): Promise<number> => {
  let count = 0;
  for await (const row of rows) {
    count += 1;
    const key = keyOf(row.key, row.type);
    const sums = due.get(key) ?? { count: 0, quota: 0, tokens: 0 };
    const isKnown = due.delete(key);
    if (isSame(row, sums) || (row.type === errorType && row.count >= sums.count)) continue;
    const kind = isKnown ? 'row-differs' : 'row-unexpected';
    findings.ofRow(
      kind,
      `${table}/${row.key}/${row.type}`,
      `${shown(row)}; the log says ${shown(sums)}`,
    );
  }
  for (const [key, sums] of due) {
    findings.ofRow('row-missing', `${table}/${nameOf(key)}`, `the log says ${shown(sums)}`);
  }
  return count;
};

/** What the log cannot say of single labels, the rows say of each other. */
export const reportMismatches = async (
  findings: Findings,
  mismatches: AsyncIterable<SumMismatch>,
): Promise<void> => {
  for await (const { source, key, found, due } of mismatches) {
    const kind = found.count === 0 ? 'row-missing' : 'row-differs';
    const detail = `${shown(found)}; the rows beneath say ${shown(due)}`;
    findings.ofRow(due.count === 0 ? 'row-unexpected' : kind, `usage_log.${source}/${key}`, detail);
  }
};
