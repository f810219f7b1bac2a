import type { Recorded } from '../../domain/shared/event.ts';
import type { UsageLogPruned } from '../../domain/site/events.ts';
import type { EventStore } from '../ports/event-store.ts';
import type {
  ReadModelSession,
  ReadModelState,
  ReadModelView,
  Shadow,
} from '../ports/read-models.ts';
import { concernsOf, type RowCheckName } from './concerns.ts';
import type { Findings } from './findings.ts';
import type { Expectation } from './rows/expectation.ts';
import { ExpectedLedger } from './rows/ledger.ts';
import { ExpectedTokens } from './rows/tokens.ts';
import { ExpectedTopUps } from './rows/topups.ts';
import { ExpectedUsers } from './rows/users.ts';

/** Which events an expectation gets is in the table of concerns. */
type AnyExpectation = Omit<Expectation<RowCheckName>, 'see'> &
  Readonly<{ see: (recorded: Recorded<never>) => void }>;
/** The places of the log that a projection takes: after `from`, up to and including `to`; null: to the end. */
type Range = Readonly<{ from: bigint; to: bigint | null }>;

const isPruning = (recorded: Recorded): recorded is Recorded<UsageLogPruned> =>
  recorded.event.type === 'UsageLogPruned';

/** Reports what does not exist; returns the projections that cannot be compared. */
const reportMissing = (
  { missing, checkpoints }: ReadModelState,
  findings: Findings,
): ReadonlySet<string> => {
  // Without a list of what is required, no read model at all is one too few.
  const names = missing ?? (checkpoints.size === 0 ? ['projections'] : []);
  for (const name of names) {
    const detail = 'the read model does not exist: start the projections to build it';
    findings.ofRow({ kind: 'read-model-missing', row: name, detail });
  }
  return new Set(names.map((name) => (name.split('.')[0] ?? '').replaceAll('_', '-')));
};

type Open = Readonly<{
  eventStore: EventStore;
  session: ReadModelSession;
  findings: Findings;
  /** Newest event when verify began. */
  head: bigint | null;
  /** Unix seconds: failures that are younger are still in the log. */
  keptSince: number;
}>;

/**
 * What the read models have to show. The events of the log are folded into the expectations of money and into the
 * shadow; both then follow the log to the checkpoints of one moment, where the rows are compared.
 */
export class ReadModelCheck {
  readonly #open: Open;
  readonly #expectations: readonly AnyExpectation[] = [
    new ExpectedUsers(),
    new ExpectedTokens(),
    new ExpectedTopUps(),
    new ExpectedLedger(),
  ];
  readonly #ranges: Map<string, Range>;
  #shadow: Shadow | null = null;
  /** Newest event of the walk. */
  #walked = -1n;
  #prunedMeanwhile = false;

  static async open(open: Open): Promise<ReadModelCheck> {
    const { session, findings, head, keptSince, eventStore } = open;
    const { begin } = session;
    const missing = reportMissing(begin, findings);
    const followed = [...begin.checkpoints].filter(([name]) => !missing.has(name));
    const isBehind = (position: bigint | null) => head !== null && (position ?? -1n) < head;
    const check = new ReadModelCheck(
      open,
      new Map(
        followed.map(([name, position]): [string, Range] => [
          name,
          { from: -1n, to: isBehind(position) ? (position ?? -1n) : null },
        ]),
      ),
    );
    check.#shadow =
      (await session.openShadow?.({
        eventStore,
        keptSince,
        projections: new Map(followed),
        accepts: (name, position) => check.#accepts(name, position),
        report: {
          row: (found) => findings.ofRow(found),
          event: (recorded, detail) => findings.ofEvent('unreadable', recorded, detail),
          note: (text) => findings.note(text),
        },
      })) ?? null;
    return check;
  }

  private constructor(open: Open, ranges: Map<string, Range>) {
    this.#open = open;
    this.#ranges = ranges;
  }

  /** What takes the events of one type. */
  seeOf(type: string): (recorded: Recorded) => void {
    const concerned: readonly string[] = concernsOf(type);
    const expectations = this.#expectations.filter(({ name }) => concerned.includes(name));
    return (recorded) => {
      if (isPruning(recorded) && this.#isMeanwhile(recorded)) this.#prunedMeanwhile = true;
      this.#shadow?.take(recorded);
      for (const expectation of expectations) {
        if (this.#accepts(expectation.name, recorded.position)) {
          expectation.see(recorded as Recorded<never>);
        }
      }
    };
  }

  /** Resolves when the shadow can take more. */
  async room(): Promise<void> {
    await this.#shadow?.room();
  }

  /** `walked`: the newest event of the walk. Resolves to the number of rows. */
  async end(walked: bigint | null): Promise<number> {
    this.#walked = walked ?? -1n;
    await this.#shadow?.settled();
    return this.#open.session.view(async (view) => {
      const names = this.#moveRanges(view);
      await this.#advance();
      let rows = 0;
      for (const name of names) {
        rows += await this.#unlessMoved(view, name, () => this.#compare(view, name));
      }
      return rows;
    });
  }

  #accepts(name: string, position: bigint): boolean {
    const range = this.#ranges.get(name);
    if (range === undefined || position <= range.from) return false;
    return range.to === null || position <= range.to;
  }

  #isMeanwhile({ position }: Recorded): boolean {
    const begin = this.#open.session.begin.checkpoints.get('usage-log') ?? -1n;
    return position > begin;
  }

  /** From where each projection is followed so far up to its checkpoint; those that went back are left out. */
  #moveRanges({ checkpoints }: ReadModelView): readonly string[] {
    const { findings } = this.#open;
    const names: string[] = [];
    for (const [name, { to }] of this.#ranges) {
      const from = to ?? this.#walked;
      const position = checkpoints.get(name) ?? -1n;
      this.#ranges.set(name, { from, to: position });
      if (position >= from) names.push(name);
      else findings.note(`projection ${name} was set back during the run and is left out`);
    }
    return names;
  }

  /** Takes the events after the walk. */
  async #advance(): Promise<void> {
    const behind = [...this.#ranges.values()].filter(({ from, to }) => to !== null && from < to);
    if (behind.length === 0) return;
    let [from, last] = [this.#walked, -1n];
    for (const range of behind) {
      if (range.from < from) from = range.from;
      if (range.to !== null && range.to > last) last = range.to;
    }
    for await (const recorded of this.#open.eventStore.readAll({ after: from })) {
      if (recorded.position > last) break;
      this.seeOf(recorded.event.type)(recorded);
      await this.room();
    }
    await this.#shadow?.settled();
  }

  async #compare(view: ReadModelView, name: string): Promise<number> {
    let rows = (await view.compareShadow?.(name)) ?? 0;
    for (const expectation of this.#expectations) {
      if (expectation.name === name) rows += await expectation.compare(view, this.#open.findings);
    }
    return rows;
  }

  /** Nothing is reported where rows were removed or replaced while they were compared. */
  async #unlessMoved(
    view: ReadModelView,
    name: string,
    compare: () => Promise<number>,
  ): Promise<number> {
    const { findings } = this.#open;
    const schema = name.replaceAll('-', '_');
    // Dropping old entries takes them away from every view, however old.
    if (name === 'usage-log' && this.#prunedMeanwhile) {
      findings.dropRowsOf(schema);
      findings.noteOnce('the usage log was pruned during the run and is left out');
      return 0;
    }
    const rows = await compare();
    if (await view.isUnchanged(name)) return rows;
    findings.dropRowsOf(schema);
    findings.noteOnce(`projection ${name} was rebuilt during the run and is left out`);
    return rows;
  }
}
