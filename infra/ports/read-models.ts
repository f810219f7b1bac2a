import type { Recorded } from '../../domain/shared/event.ts';

/*
 * What the read models show, for `verify` to hold against the log. Quota in whole units, times in
 * Unix seconds, statuses as on the wire.
 */

export type VerifiedUser = Readonly<{
  id: number;
  quota: number;
  usedQuota: number;
  requestCount: number;
  role: number;
  /** 1 active, 2 banned. */
  status: number;
  group: string;
  deleted: boolean;
}>;
export type VerifiedToken = Readonly<{
  id: number;
  userId: number;
  /** 1 enabled, 2 disabled. */
  status: number;
  remain: number;
  used: number;
  unlimited: boolean;
}>;
export type VerifiedChannel = Readonly<{ id: number; status: number; usedQuota: number }>;
export type VerifiedOption = Readonly<{ key: string; value: string | null; isSecretSet: boolean }>;
export type VerifiedCode = Readonly<{
  id: number;
  status: number;
  quota: number;
  usedBy: number;
}>;
/** `quota` and `credited` with the bonus; `status` as the row has it. */
export type VerifiedTopUp = Readonly<{
  tradeNo: string;
  userId: number;
  amountMinor: number;
  quota: number;
  status: string;
  credited: number;
}>;
export type VerifiedAccount = Readonly<{ userId: number; balance: number; used: number }>;
/** In the order of user and position. */
export type VerifiedMovement = Readonly<{
  userId: number;
  position: bigint;
  delta: number;
  balanceAfter: number;
}>;
export type VerifiedCount = Readonly<{ userId: number; count: number }>;

/** Where sums of the usage log are taken from: the entries, or one depth of the hourly rollup. */
export type UsageSource = 'entries' | 'site_hours' | 'user_hours' | 'hours';
/**
 * Sums of the usage log by one margin. `type` -2: charges of entries that were pruned, which the
 * dashboard still shows.
 */
export type VerifiedSums = Readonly<{
  /** A user id, or the start of an hour in Unix seconds. */
  key: number;
  type: number;
  count: number;
  quota: number;
  tokens: number;
}>;

type Totals = Readonly<{ count: number; quota: number; tokens: number }>;
/** A row of sums that is not what the rows beneath it add up to; no row counts as zeros. */
export type SumMismatch = Readonly<{
  source: 'hours' | 'group_minutes' | 'facet_hours';
  /** What the row sums up, its time in Unix seconds among it. */
  key: string;
  found: Totals;
  due: Totals;
}>;

/** What the feed publishes of one account; `sessions` as JSON text. */
export type VerifiedFedAccount = Readonly<{
  userId: number;
  role: number;
  /** 1 active, 2 banned, 3 deleted. */
  status: number;
  group: string;
  sessionEpoch: number;
  sessions: string;
  acceptsUnpriced: boolean;
  deleted: boolean;
  position: number;
}>;
/** What the feed publishes of one token; `terms` as JSON text. */
export type VerifiedFedToken = Readonly<{
  keyHash: string;
  tokenId: number;
  userId: number;
  status: number;
  terms: string;
  deleted: boolean;
  position: number;
}>;
/** What the feed publishes of one channel; `settings` as JSON text. */
export type VerifiedFedChannel = Readonly<{
  channelId: number;
  status: number;
  sealedKey: string;
  settings: string;
  tag: string;
  deleted: boolean;
  position: number;
}>;
export type VerifiedFedOption = Readonly<{ key: string; value: string | null; position: number }>;
/** The keys that relays open channel keys with, wrapped, as JSON text. */
export type VerifiedFedKeys = Readonly<{ key: string; keyring: string; position: number }>;

/** The feeds from which relays read who may call, and with what. */
export interface VerifiedFeeds {
  accounts(): AsyncIterable<VerifiedFedAccount>;
  tokens(): AsyncIterable<VerifiedFedToken>;
  channels(): AsyncIterable<VerifiedFedChannel>;
  options(): AsyncIterable<VerifiedFedOption>;
  keys(): AsyncIterable<VerifiedFedKeys>;
}

/** What the rows of a table depend on besides the events. Unix seconds. */
export type FoldInput = Readonly<{
  /** The log keeps failures that are younger; older ones are not compared. */
  failuresSince: number;
  /** Charges and failures from before were pruned by an operator. */
  prunedBefore: number;
}>;

/** A row that the log makes, as one text of its cells. */
export type EventRow = Readonly<{
  /** Place in the log of the event behind the row. */
  position: number;
  cells: string;
  /** Cells that go when a person leaves: `owner/42`. */
  persons: readonly Readonly<{ key: string; cells: string }>[];
}>;
export type TakeRow = (table: string, row: EventRow) => void;

/** The rows of one part of a table: how many, and the sum of 48 bits of a digest of each. */
export type RowDigest = Readonly<{
  /** 0: before the first start; n: from the nth start up to the next. */
  bucket: number;
  count: number;
  sum: number;
}>;
export type PersonDigest = Readonly<{ key: string; count: number; sum: number }>;
export type StoredEventRow = Readonly<{ position: number; cells: string }>;

/** A table whose rows are each made by one event. */
export interface EventTable {
  /** `usage_log.entries` */
  readonly name: string;
  /** Of the cells, in their order. */
  readonly columns: readonly string[];
  /** 48 bits of a keyed digest of a row; the key is another one for each run. */
  digestOf(cells: string): number;
  cellsOf(cells: string): readonly string[];
  /** `starts`: places in the log, ascending. */
  digests(given: FoldInput, starts: readonly number[]): Promise<readonly RowDigest[]>;
  personDigests(given: FoldInput): Promise<readonly PersonDigest[]>;
  /** Rows from (inclusive) to (exclusive) these places. */
  rows(
    given: FoldInput,
    ranges: readonly (readonly [number, number])[],
  ): Promise<readonly StoredEventRow[]>;
}

type RowBreakKind = 'row-differs' | 'row-missing' | 'row-unexpected';
export type ReportRow = (kind: RowBreakKind, key: string, detail: string) => void;

/** A table whose rows change from event to event, as the log makes it. */
export interface FoldedTable {
  /** `task_list.tasks` */
  readonly name: string;
  /** Holds the rows against it, once; answers how many there were. */
  compare(report: ReportRow): Promise<number>;
}

export type RowFold = Readonly<{
  /** Of the types that change rows. */
  see: (recorded: Recorded) => void;
  end: () => void;
  folded: readonly FoldedTable[];
}>;

/** The tables of one projection that are compared row by row. */
export interface RowSource {
  readonly projection: string;
  /** Event types that change its rows. */
  readonly types: ReadonlySet<string>;
  readonly tables: readonly EventTable[];
  /** What the log makes of them; begins at the start of the log. */
  fold(given: FoldInput, take: TakeRow): RowFold;
}

/** A cell whose number is beyond 2^53. */
export type OutOfRange = Readonly<{
  projection: string;
  /** `ledger.entries/7/42` */
  row: string;
  column: string;
  value: string;
}>;

/** The read models of one moment: the rows of each projection are the fold up to its checkpoint. */
export interface ReadModelView {
  /** Projection → place in the log; null before the first event. */
  readonly checkpoints: ReadonlyMap<string, bigint | null>;
  /** Projection → id of the event at its checkpoint; null where it was not noted. */
  readonly checkpointEvents?: ReadonlyMap<string, string | null>;
  /** `ledger`, `ledger.entries`: projections and tables that have to be there and are not. */
  readonly missing?: readonly string[];
  /** To be read before rows are: those with such a cell cannot be read as numbers. */
  outOfRange?(): Promise<readonly OutOfRange[]>;
  /** False when the projection was rebuilt after this view was opened: its rows are not of it. */
  isUnchanged(projection: string): Promise<boolean>;
  users(): AsyncIterable<VerifiedUser>;
  tokens(): AsyncIterable<VerifiedToken>;
  channels(): AsyncIterable<VerifiedChannel>;
  options(): AsyncIterable<VerifiedOption>;
  codes(): AsyncIterable<VerifiedCode>;
  topUps(): AsyncIterable<VerifiedTopUp>;
  accounts(): AsyncIterable<VerifiedAccount>;
  movements(): AsyncIterable<VerifiedMovement>;
  /** Movements of each account as the counts of the days have them. */
  movementCounts(): AsyncIterable<VerifiedCount>;
  /** null where the source has no such margin: the hours of the site contain no users. */
  usageByUser(source: UsageSource): AsyncIterable<VerifiedSums> | null;
  usageByHour(source: UsageSource): AsyncIterable<VerifiedSums>;
  readonly feeds?: VerifiedFeeds;
  readonly rowSources?: readonly RowSource[];
  /** By every label: entries against hours and minutes, hours against the sums of each facet. */
  usageMismatches(): AsyncIterable<SumMismatch>;
}

export interface ReadModels {
  /** How far each projection is now; empty while there are none. */
  checkpoints(): Promise<ReadonlyMap<string, bigint | null>>;
  /** Runs `task` over one consistent view. */
  view<T>(task: (view: ReadModelView) => Promise<T>): Promise<T>;
}
