import type { Recorded } from '../../../domain/shared/event.ts';
import type {
  EventRow,
  EventTable,
  FoldInput,
  RowFold,
  RowSource,
} from '../../ports/read-models.ts';
import type { Findings } from '../findings.ts';
import { PersonDigests, type PlaceRange, RowDigests } from './row-digests.ts';

type Tally = Readonly<{ table: EventTable; rows: RowDigests; persons: PersonDigests }>;

/** Buckets whose rows are named one by one; of more of them the ranges are enough. */
const namedBuckets = 16;
const shownCharacters = 120;

/** Rows of one table that do not agree in sum, by place. A place may hold several. */
type Suspects = Readonly<{
  table: EventTable;
  ranges: readonly PlaceRange[];
  stored: Map<number, string[]>;
}>;

const isIn = (ranges: readonly PlaceRange[], position: number): boolean =>
  ranges.some(([from, to]) => position >= from && position < to);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, member]) => [name, sorted(member)]);
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: a statement with rows leaves them out
const control = /[\u0000-\u0002]/g;
const plain = (text: string): string => text.replace(control, '');

/** The same cell, in whatever order the members of an object stand. */
const isSameCell = (left: string, right: string): boolean => {
  if (left === right || plain(left) === plain(right)) return true;
  if (!left.startsWith('{') || !right.startsWith('{')) return false;
  return JSON.stringify(sorted(parsed(left))) === JSON.stringify(sorted(parsed(right)));
};

const shown = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;

const differences = (table: EventTable, stored: string, due: string): readonly string[] => {
  const [found, expected] = [table.cellsOf(stored), table.cellsOf(due)];
  return table.columns.flatMap((name, index) => {
    const [left, right] = [found[index] ?? '', expected[index] ?? ''];
    return isSameCell(left, right)
      ? []
      : [`${name} is ${shown(left)}, the log says ${shown(right)}`];
  });
};

/**
 * The rows of a projection, held against what the log makes of them. Of those that each come of one event it
 * remembers sums of digests only; where they differ, the log is walked once more to name the rows.
 */
export class RowCheck {
  readonly #source: RowSource;
  readonly #given: FoldInput;
  readonly #upTo: bigint;
  readonly #tallies: ReadonlyMap<string, Tally>;
  readonly #fold: RowFold;

  constructor(source: RowSource, upTo: bigint, given: FoldInput) {
    this.#source = source;
    this.#given = given;
    this.#upTo = upTo;
    this.#tallies = new Map(
      source.tables.map((table) => [
        table.name,
        { table, rows: new RowDigests(), persons: new PersonDigests() },
      ]),
    );
    this.#fold = source.fold(given, (table, row) => this.#take(table, row));
  }

  get projection(): string {
    return this.#source.projection;
  }

  concerns(type: string): boolean {
    return this.#source.types.has(type);
  }

  /** Of the types that concern it. */
  see(recorded: Recorded): void {
    if (recorded.position <= this.#upTo) this.#fold.see(recorded);
  }

  /** Answers how many rows there were. `departed`: people who have left. */
  async end(
    readLog: () => AsyncIterable<Recorded>,
    departed: ReadonlySet<string>,
    findings: Findings,
  ): Promise<number> {
    this.#fold.end();
    let count = 0;
    for (const folded of this.#fold.folded) {
      const { name } = folded;
      count += await folded.compare((kind, key, detail) =>
        findings.ofRow(kind, `${name}/${key}`, detail),
      );
    }
    const suspects: Suspects[] = [];
    for (const { table, rows, persons } of this.#tallies.values()) {
      const found = await table.digests(this.#given, rows.starts);
      for (const bucket of found) count += bucket.count;
      const ranges = rows.differing(found);
      if (ranges.length > 0) suspects.push(await this.#suspectsOf(table, ranges, findings));
      for (const key of persons.differing(await table.personDigests(this.#given))) {
        if (departed.has(key.slice(key.indexOf('/') + 1))) continue;
        const detail = 'what the rows say of this person is not what the log says';
        findings.ofRow('row-differs', `${table.name}/${key}`, detail);
      }
    }
    if (suspects.length > 0) await this.#name(suspects, readLog, findings);
    return count;
  }

  #take(name: string, { position, cells, persons }: EventRow): void {
    const tally = this.#tallies.get(name);
    if (tally === undefined) return;
    const { table } = tally;
    tally.rows.add(position, table.digestOf(cells));
    for (const person of persons) tally.persons.add(person.key, table.digestOf(person.cells));
  }

  async #suspectsOf(
    table: EventTable,
    ranges: readonly PlaceRange[],
    findings: Findings,
  ): Promise<Suspects> {
    for (const [from, to] of ranges.slice(namedBuckets)) {
      const row = `${table.name}/${from}..${to}`;
      findings.ofRow('row-differs', row, 'the rows of these places are not those of the log');
    }
    const named = ranges.slice(0, namedBuckets);
    const stored = new Map<number, string[]>();
    for (const { position, cells } of await table.rows(this.#given, named)) {
      const known = stored.get(position);
      if (known === undefined) stored.set(position, [cells]);
      else known.push(cells);
    }
    return { table, ranges: named, stored };
  }

  async #name(
    suspects: readonly Suspects[],
    readLog: () => AsyncIterable<Recorded>,
    findings: Findings,
  ): Promise<void> {
    const byName = new Map(suspects.map((suspect) => [suspect.table.name, suspect]));
    const fold = this.#source.fold(this.#given, (name, row) => {
      const suspect = byName.get(name);
      if (suspect !== undefined && isIn(suspect.ranges, row.position)) {
        compareRow(suspect, row, findings);
      }
    });
    for await (const recorded of readLog()) {
      if (recorded.position > this.#upTo) break;
      if (!this.concerns(recorded.event.type)) continue;
      try {
        fold.see(recorded);
      } catch {
        // The first walk has reported it.
      }
    }
    fold.end();
    for (const { table, stored } of suspects) {
      for (const position of stored.keys()) {
        const row = `${table.name}/${position}`;
        findings.ofRow('row-unexpected', row, 'the log has no event behind this row');
      }
    }
  }
}

const compareRow = (
  { table, stored }: Suspects,
  { position, cells }: EventRow,
  findings: Findings,
): void => {
  const row = `${table.name}/${position}`;
  const [found, ...more] = stored.get(position) ?? [];
  stored.delete(position);
  if (found === undefined) {
    findings.ofRow('row-missing', row, 'the log has it, the read model has not');
    return;
  }
  const problems = differences(table, found, cells);
  if (problems.length > 0) findings.ofRow('row-differs', row, problems.join('; '));
  if (more.length > 0)
    findings.ofRow('row-unexpected', row, 'one event stands behind several rows');
};
