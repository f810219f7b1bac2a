import type {
  LeaseIdle,
  RequestFailedRecord,
  RequestStarted,
  RequestUsed,
} from '../../domain/account/messages.ts';
import type { RelayId, RequestId, UserId } from '../../domain/shared/ids.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import { claimDirectory, deadLives } from './journal-owner.ts';
import { type RecoveredLife, readLife } from './journal-recovery.ts';
import { createSegments, type Segments } from './journal-segments.ts';
import { endedText, startedText } from './record-text.ts';

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

/** One record on its way to the keeper. */
export type JournalEntry = Readonly<{
  kind: 'started' | 'used' | 'failed' | 'lost' | 'lease-idle';
  userId: UserId;
  /** null for an idle lease. */
  requestId: RequestId | null;
  sequence: number;
  /** JSON of the record, without a line break. */
  line: string;
}>;

/** What the shipper needs of a journal beside. */
export interface ShippableJournal extends Journal {
  /** Earlier lives in the same directory whose process is gone. */
  readonly recovered: readonly RecoveredLife[];
  /** Hears of every entry after its tick was written. One listener. */
  follow(listener: (entries: readonly JournalEntry[]) => void): void;
  /** Entries after this sequence, from the files, in order. */
  read(after: Readonly<{ sequence: number; limit: number }>): Promise<readonly JournalEntry[]>;
  /** The bus has taken these over; files that hold nothing else go away. */
  shipped(entries: readonly JournalEntry[]): void;
}

export type JournalSettings = Readonly<{
  directory: string;
  relayId: RelayId;
  clock: Clock;
  logger: Logger;
  /** Bytes after which a new file begins; 8 MB by default. */
  segmentBytes?: number;
}>;

class FileJournal implements ShippableJournal {
  readonly relayId: RelayId;
  readonly recovered: readonly RecoveredLife[];
  readonly #segments: Segments;
  readonly #prefix: string;
  #sequence = 0;
  #entries: JournalEntry[] = [];
  #callbacks: (() => void)[] = [];
  #isScheduled = false;
  #listener: (entries: readonly JournalEntry[]) => void = () => undefined;

  constructor(relayId: RelayId, segments: Segments, recovered: readonly RecoveredLife[]) {
    this.relayId = relayId;
    this.recovered = recovered;
    this.#segments = segments;
    this.#prefix = `{"relayId":${JSON.stringify(relayId)},"sequence":`;
  }

  started(entry: StartedEntry): void {
    this.#add('started', entry.userId, entry.requestId, startedText(entry));
  }

  ended(entry: UsedEntry | FailedEntry, onWritten: () => void): void {
    this.#callbacks.push(onWritten);
    this.#add(entry.kind, entry.userId, entry.call.requestId, endedText(entry));
  }

  leaseIdle(entry: LeaseIdleEntry): void {
    const rest = `"kind":"lease-idle",${JSON.stringify(entry).slice(1)}`;
    this.#add('lease-idle', entry.userId, null, rest);
  }

  healthy(): boolean {
    return this.#segments.healthy();
  }

  follow(listener: (entries: readonly JournalEntry[]) => void): void {
    this.#listener = listener;
  }

  read(after: Readonly<{ sequence: number; limit: number }>): Promise<readonly JournalEntry[]> {
    return this.#segments.read(after);
  }

  shipped(entries: readonly JournalEntry[]): void {
    this.#segments.shipped(entries);
  }

  async close(): Promise<void> {
    this.#write();
    await this.#segments.close();
  }

  #add(
    kind: JournalEntry['kind'],
    userId: UserId,
    ...[requestId, rest]: [requestId: RequestId | null, rest: string]
  ): void {
    this.#sequence += 1;
    const sequence = this.#sequence;
    const line = `${this.#prefix}${sequence},${rest}`;
    // Read once, the engine lays the pieces out as one text: it is written, kept and shipped so.
    line.charCodeAt(0);
    this.#entries.push({ kind, userId, requestId, sequence, line });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#write);
  }

  /** All of this tick in one write; the callbacks run even when the disk refuses. */
  readonly #write = (): void => {
    this.#isScheduled = false;
    if (this.#entries.length === 0) return;
    const entries = this.#entries;
    const callbacks = this.#callbacks;
    this.#entries = [];
    this.#callbacks = [];
    this.#segments.append(entries);
    for (const onWritten of callbacks) onWritten();
    this.#listener(entries);
  };
}

/** Opens the journal of a new life, and finds those of lives that are over. */
export const openJournal = (settings: JournalSettings): ShippableJournal => {
  const { directory, relayId, logger } = settings;
  const recovered = deadLives(directory, relayId).map((life) => readLife(life, logger));
  const own = claimDirectory(directory, relayId);
  const segments = createSegments({
    directory: own,
    logger,
    segmentBytes: settings.segmentBytes ?? 8 * 1024 * 1024,
  });
  return new FileJournal(relayId, segments, recovered);
};
