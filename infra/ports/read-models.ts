import type { Recorded } from '../../domain/shared/event.ts';
import type { EventStore } from './event-store.ts';

/*
 * What the read models show, for `verify` to compare with the log. Quota in whole units, statuses as on the wire.
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

/** The tables that hold money, for expectations that no projector computed. */
export interface MoneyRows {
  users(): AsyncIterable<VerifiedUser>;
  tokens(): AsyncIterable<VerifiedToken>;
  topUps(): AsyncIterable<VerifiedTopUp>;
  accounts(): AsyncIterable<VerifiedAccount>;
  /** Absent where they are compared with the shadow. */
  movements?(): AsyncIterable<VerifiedMovement>;
  /** Movements of each account as the counts of the days have them. */
  movementCounts(): AsyncIterable<VerifiedCount>;
}

/** How far the projections are. */
export type ReadModelState = Readonly<{
  /** Projection → place in the log; null before the first event. */
  checkpoints: ReadonlyMap<string, bigint | null>;
  /** Projection → id of the event at its checkpoint; null where it was not noted. */
  checkpointEvents?: ReadonlyMap<string, string | null>;
  /** `ledger`, `ledger.entries`: projections and tables that are required and do not exist. */
  missing?: readonly string[];
}>;

/** A row that is not what the log leads to. */
export type RowBreak = Readonly<{
  kind: 'row-differs' | 'row-missing' | 'row-unexpected';
  /** `user_list.users/42` */
  row: string;
  detail: string;
  /** Of the event behind the row, where the row has it. */
  position: string | null;
  eventId: string | null;
}>;

/** Where the comparison of the shadow reports to. */
export interface ShadowReport {
  row(found: RowBreak): void;
  /** An event that a projector cannot apply. */
  event(recorded: Recorded, detail: string): void;
  note(text: string): void;
}

export type ShadowInput = Readonly<{
  eventStore: EventStore;
  /** Those that are built, and how far each was when verify began. */
  projections: ReadonlyMap<string, bigint | null>;
  /** Whether a projection takes the event at this place. */
  accepts: (projection: string, position: bigint) => boolean;
  /** Unix seconds: the log still holds every event from then on. */
  keptSince: number;
  report: ShadowReport;
}>;

/** The read models as the projectors build them from the log, in tables that only this run has. */
export interface Shadow {
  /** Takes the next event of the log; they are applied in batches, in the background. */
  take(recorded: Recorded): void;
  /** Resolves when more may be taken. */
  room(): Promise<void>;
  /** Resolves when everything that was taken is applied. */
  settled(): Promise<void>;
}

/** The read models at one moment: the rows of each projection are those of its checkpoint. */
export interface ReadModelView extends ReadModelState, MoneyRows {
  /** False when the projection was rebuilt after this view was opened: its rows are others. */
  isUnchanged(projection: string): Promise<boolean>;
  /** Compares the tables of a projection with the shadow, which has to be as far; resolves to the number of rows. */
  compareShadow?(projection: string): Promise<number>;
}

/** One run of verify over the read models. */
export interface ReadModelSession {
  /** When the session was opened. */
  readonly begin: ReadModelState;
  /** Absent: nothing but the money is compared. */
  openShadow?(input: ShadowInput): Promise<Shadow>;
  /** Runs `task` over one consistent view. Within it the shadow goes on. */
  view<T>(task: (view: ReadModelView) => Promise<T>): Promise<T>;
}

export interface ReadModels {
  /** How far each projection is now; empty while there are none. */
  checkpoints(): Promise<ReadonlyMap<string, bigint | null>>;
  open<T>(task: (session: ReadModelSession) => Promise<T>): Promise<T>;
}
