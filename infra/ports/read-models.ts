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
 * dashboard goes on showing.
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

/** The read models of one moment: the rows of each projection are the fold up to its checkpoint. */
export interface ReadModelView {
  /** Projection → place in the log; null before the first event. */
  readonly checkpoints: ReadonlyMap<string, bigint | null>;
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
  /** null where the source has no such margin: the hours of the site know no users. */
  usageByUser(source: UsageSource): AsyncIterable<VerifiedSums> | null;
  usageByHour(source: UsageSource): AsyncIterable<VerifiedSums>;
  /** By every label: entries against hours and minutes, hours against the sums of each facet. */
  usageMismatches(): AsyncIterable<SumMismatch>;
}

export interface ReadModels {
  /** How far each projection is now; empty while there are none. */
  checkpoints(): Promise<ReadonlyMap<string, bigint | null>>;
  /** Runs `task` over one consistent view. */
  view<T>(task: (view: ReadModelView) => Promise<T>): Promise<T>;
}
