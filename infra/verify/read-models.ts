import type { Recorded } from '../../domain/shared/event.ts';
import type { UsageLogPruned } from '../../domain/site/events.ts';
import { siteStreamId } from '../../domain/site/stream.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { ReadModelView } from '../ports/read-models.ts';
import { concernsOf, type RowCheckName } from './concerns.ts';
import type { Findings } from './findings.ts';
import { ExpectedChannels } from './rows/channels.ts';
import { ExpectedCodes } from './rows/codes.ts';
import type { Expectation } from './rows/expectation.ts';
import { ExpectedLedger } from './rows/ledger.ts';
import { ExpectedOptions } from './rows/options.ts';
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

/** Unix seconds of the newest cut that had taken effect at `upTo`; 0 when nothing was pruned. */
const prunedBefore = async (eventStore: EventStore, upTo: bigint): Promise<number> => {
  let cut = 0;
  for await (const recorded of eventStore.readStream(siteStreamId)) {
    if (recorded.position > upTo) break;
    if (isPruning(recorded)) cut = Math.max(cut, recorded.event.data.before);
  }
  return cut;
};

/**
 * What the read models of one view have to show: the events are folded up to the checkpoint of each
 * projection, and the rows compared with the result at the end of the log.
 */
export class ReadModelCheck {
  readonly #findings: Findings;
  readonly #view: ReadModelView;
  readonly #tracked: readonly Tracked[];
  #prunedLater = false;

  static async open(
    eventStore: EventStore,
    view: ReadModelView,
    findings: Findings,
  ): Promise<ReadModelCheck> {
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
    ];
    const tracked = all.flatMap((expectation) => {
      const upTo = view.checkpoints.get(expectation.name);
      if (upTo === undefined) findings.note(`projection ${expectation.name} does not exist yet`);
      return upTo === undefined ? [] : [{ expectation, upTo: upTo ?? -1n }];
    });
    return new ReadModelCheck(view, tracked, findings);
  }

  private constructor(view: ReadModelView, tracked: readonly Tracked[], findings: Findings) {
    this.#view = view;
    this.#tracked = tracked;
    this.#findings = findings;
  }

  see(recorded: Recorded): void {
    const concerned: readonly string[] = concernsOf(recorded.event.type);
    for (const { expectation, upTo } of this.#tracked) {
      if (!concerned.includes(expectation.name)) continue;
      if (recorded.position <= upTo) expectation.see(recorded as Recorded<never>);
      else if (isPruning(recorded)) this.#prunedLater = true;
    }
  }

  async end(): Promise<number> {
    let rows = 0;
    for (const { expectation } of this.#tracked) {
      const { name } = expectation;
      // Dropping old entries takes them away from every view, however old.
      if (name === 'usage-log' && this.#prunedLater) {
        this.#findings.note('the usage log was pruned meanwhile and is left out');
        continue;
      }
      rows += await expectation.compare(this.#view, this.#findings);
      if (await this.#view.isUnchanged(name)) continue;
      this.#findings.dropRowsOf(name.replaceAll('-', '_'));
      this.#findings.note(`projection ${name} was rebuilt meanwhile and is left out`);
    }
    return rows;
  }
}
