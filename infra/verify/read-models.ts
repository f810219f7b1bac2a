import type { Recorded } from '../../domain/shared/event.ts';
import type { UsageLogPruned } from '../../domain/site/events.ts';
import { siteStreamId } from '../../domain/site/stream.ts';
import type { UserDeleted } from '../../domain/user/events.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { ReadModelView } from '../ports/read-models.ts';
import { concernsOf, type RowCheckName } from './concerns.ts';
import type { Findings } from './findings.ts';
import { ExpectedChannels } from './rows/channels.ts';
import { ExpectedCodes } from './rows/codes.ts';
import type { Expectation } from './rows/expectation.ts';
import { ExpectedFeeds } from './rows/feeds.ts';
import { ExpectedLedger } from './rows/ledger.ts';
import { ExpectedOptions } from './rows/options.ts';
import { RowCheck } from './rows/row-check.ts';
import { ExpectedTokens } from './rows/tokens.ts';
import { ExpectedTopUps } from './rows/topups.ts';
import { ExpectedUsage } from './rows/usage.ts';
import { ExpectedUsers } from './rows/users.ts';

/** Which events an expectation gets is said by the table of concerns. */
type AnyExpectation = Omit<Expectation<RowCheckName>, 'see'> &
  Readonly<{ see: (recorded: Recorded<never>) => void }>;
type Tracked = Readonly<{ expectation: AnyExpectation; upTo: bigint }>;

const isPruning = (recorded: Recorded): recorded is Recorded<UsageLogPruned> =>
  recorded.event.type === 'UsageLogPruned';
const isDeparture = (recorded: Recorded): recorded is Recorded<UserDeleted> =>
  recorded.event.type === 'UserDeleted';

/** Unix seconds of the newest cut that had taken effect at `upTo`; 0 when nothing was pruned. */
const prunedBefore = async (eventStore: EventStore, upTo: bigint): Promise<number> => {
  let cut = 0;
  for await (const recorded of eventStore.readStream(siteStreamId)) {
    if (recorded.position > upTo) break;
    if (isPruning(recorded)) cut = Math.max(cut, recorded.event.data.before);
  }
  return cut;
};

/** Reports what is not there; answers the projections that cannot be compared. */
const reportMissing = (view: ReadModelView, findings: Findings): ReadonlySet<string> => {
  // Without a list of what has to be there, no read model at all is one too few.
  const missing = view.missing ?? (view.checkpoints.size === 0 ? ['projections'] : []);
  for (const name of missing) {
    const detail = 'the read model is not there; a start of the projections builds it';
    findings.ofRow('read-model-missing', name, detail);
  }
  return new Set(missing.map((name) => (name.split('.')[0] ?? '').replaceAll('_', '-')));
};

type Open = Readonly<{
  eventStore: EventStore;
  view: ReadModelView;
  findings: Findings;
  /** Unix seconds: failures that are younger are still in the log. */
  failuresSince: number;
}>;

/**
 * What the read models of one view have to show: the events are folded up to the checkpoint of each
 * projection, and the rows compared with the result at the end of the log.
 */
export class ReadModelCheck {
  readonly #open: Open;
  readonly #tracked: readonly Tracked[];
  readonly #rowChecks: readonly RowCheck[];
  readonly #departed = new Set<string>();
  #prunedLater = false;

  static async open(open: Open): Promise<ReadModelCheck> {
    const { eventStore, view, findings, failuresSince } = open;
    const cut = await prunedBefore(eventStore, view.checkpoints.get('usage-log') ?? -1n);
    const all: readonly AnyExpectation[] = [
      new ExpectedUsers(),
      new ExpectedTokens(),
      new ExpectedChannels(),
      new ExpectedOptions(),
      new ExpectedCodes(),
      new ExpectedTopUps(),
      new ExpectedLedger(),
      new ExpectedUsage(cut),
      new ExpectedFeeds(),
    ];
    const missing = reportMissing(view, findings);
    /** null: not there, or without a first event so far. */
    const upTo = (name: string): bigint | null => {
      if (missing.has(name)) return null;
      const position = view.checkpoints.get(name);
      if (position === undefined) findings.note(`projection ${name} does not exist yet`);
      return position === undefined ? null : (position ?? -1n);
    };
    const tracked = all.flatMap((expectation) => {
      const end = upTo(expectation.name);
      return end === null ? [] : [{ expectation, upTo: end }];
    });
    const given = { failuresSince, prunedBefore: cut };
    const rowChecks = (view.rowSources ?? []).flatMap((source) => {
      const end = upTo(source.projection);
      return end === null ? [] : [new RowCheck(source, end, given)];
    });
    return new ReadModelCheck(open, tracked, rowChecks);
  }

  private constructor(open: Open, tracked: readonly Tracked[], rowChecks: readonly RowCheck[]) {
    this.#open = open;
    this.#tracked = tracked;
    this.#rowChecks = rowChecks;
  }

  /** What gets the events of one type. */
  seeOf(type: string): (recorded: Recorded) => void {
    const concerned: readonly string[] = concernsOf(type);
    const tracked = this.#tracked.filter(({ expectation }) => concerned.includes(expectation.name));
    const rowChecks = this.#rowChecks.filter((check) => check.concerns(type));
    return (recorded) => {
      if (isDeparture(recorded)) this.#departed.add(String(recorded.event.data.userId));
      for (const { expectation, upTo } of tracked) {
        if (recorded.position <= upTo) expectation.see(recorded as Recorded<never>);
        else if (isPruning(recorded)) this.#prunedLater = true;
      }
      for (const check of rowChecks) check.see(recorded);
    };
  }

  async end(): Promise<number> {
    const { view, findings } = this.#open;
    const unreadable = await this.#reportOutOfRange();
    let rows = 0;
    for (const { expectation } of this.#tracked) {
      if (unreadable.has(expectation.name)) continue;
      rows += await this.#unlessMoved(expectation.name, () => expectation.compare(view, findings));
    }
    for (const check of this.#rowChecks) {
      const { projection } = check;
      if (unreadable.has(projection)) continue;
      rows += await this.#unlessMoved(projection, () => this.#compareRows(check));
    }
    return rows;
  }

  /** The projections with a number that is not read: it would be rounded. */
  async #reportOutOfRange(): Promise<ReadonlySet<string>> {
    const { view, findings } = this.#open;
    const projections = new Set<string>();
    for (const { projection, row, column, value } of (await view.outOfRange?.()) ?? []) {
      findings.ofRow('row-differs', row, `${column} is ${value}, beyond 2^53`);
      projections.add(projection);
    }
    for (const name of projections) {
      findings.note(
        `projection ${name} has a number beyond 2^53: no more of its rows are compared`,
      );
    }
    return projections;
  }

  #compareRows(check: RowCheck): Promise<number> {
    const { eventStore, findings } = this.#open;
    return check.end(() => eventStore.readAll(), this.#departed, findings);
  }

  /** Findings say nothing where the rows went, or came anew, while they were compared. */
  async #unlessMoved(name: string, compare: () => Promise<number>): Promise<number> {
    const { view, findings } = this.#open;
    // Dropping old entries takes them away from every view, however old.
    if (name === 'usage-log' && this.#prunedLater) {
      findings.noteOnce('the usage log was pruned meanwhile and is left out');
      return 0;
    }
    const rows = await compare();
    if (await view.isUnchanged(name)) return rows;
    findings.dropRowsOf(name.replaceAll('-', '_'));
    findings.noteOnce(`projection ${name} was rebuilt meanwhile and is left out`);
    return rows;
  }
}
