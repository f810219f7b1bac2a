import type {
  LeaseIdle,
  RequestFailedRecord,
  RequestStarted,
  RequestUsed,
  UsageLine,
} from '../../domain/account/messages.ts';
import type { RelayId } from '../../domain/shared/ids.ts';

/** What the journal adds to every record. */
type Numbering = 'sequence' | 'relayId' | 'kind';
export type StartedEntry = Omit<RequestStarted, Numbering>;
export type UsedEntry = Omit<RequestUsed, 'sequence' | 'relayId'>;
export type FailedEntry = Omit<RequestFailedRecord, 'sequence' | 'relayId'>;
export type LeaseIdleEntry = Omit<LeaseIdle, Numbering>;

/** The relay's own record of what it admitted and what it owes to the books. Append-only files. */
export interface Journal {
  /** The life of the relay that this journal belongs to; stands in every record. */
  readonly relayId: RelayId;
  /** Lines of earlier lives whose owner is gone, to be shipped first, in order. */
  readonly recovered: readonly UsageLine[];
  /** A request was admitted. Written with this tick's batch. */
  started(entry: StartedEntry): void;
  /** A request ended. `onWritten` runs once the record is in the operating system's hands. */
  ended(entry: UsedEntry | FailedEntry, onWritten: () => void): void;
  /** An idle lease goes back, after everything recorded before. */
  leaseIdle(entry: LeaseIdleEntry): void;
  /** False while the disk refuses records; they are kept in bounded memory meanwhile. */
  healthy(): boolean;
  close(): Promise<void>;
}
