import type {
  RequestFailedRecord,
  RequestStarted,
  RequestUsed,
} from '../../domain/account/messages.ts';
import type { RelayId, RequestId, UserId } from '../../domain/shared/ids.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Files } from '../../infra/ports/files.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { ProcessTable } from '../../infra/ports/process-table.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import type { LeaseIdleEntry } from '../admission/lease-book.ts';
import { claimDirectory, deadInstances } from './journal-owner.ts';
import { type RecoveredInstance, readInstance } from './journal-recovery.ts';
import { createSegments, type Segments } from './journal-segments.ts';
import { type Place, RecordBytes } from './record-bytes.ts';
import { endedText, idleText, startedText } from './record-text.ts';

/** What the journal adds to every record. */
type Numbering = 'sequence' | 'relayId' | 'kind';
export type StartedEntry = Omit<RequestStarted, Numbering>;
export type UsedEntry = Omit<RequestUsed, 'sequence' | 'relayId'>;
export type FailedEntry = Omit<RequestFailedRecord, 'sequence' | 'relayId'>;

/** Starts and outcomes of this relay until the keeper has them. Append-only files. */
export interface Journal {
  /** The relay instance that this journal belongs to; stands in every record. */
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
export type JournalEntry = Place &
  Readonly<{
    kind: 'started' | 'used' | 'failed' | 'lost' | 'lease-idle';
    userId: UserId;
    /** null for an idle lease. */
    requestId: RequestId | null;
    sequence: number;
  }>;

type About = Pick<JournalEntry, 'kind' | 'userId' | 'requestId'>;

/** What the shipper needs of a journal beside. */
export interface ShippableJournal extends Journal {
  /** Earlier instances in the same directory whose process is gone. */
  readonly recovered: readonly RecoveredInstance[];
  /** Called with every entry after its tick was written. One listener. */
  follow(listener: (entries: readonly JournalEntry[]) => void): void;
  /** Entries after this sequence, from the files, in order. */
  read(after: Readonly<{ sequence: number; limit: number }>): Promise<readonly JournalEntry[]>;
  /** The bus has taken these over; files that hold nothing else go away. */
  shipped(entries: readonly JournalEntry[]): void;
  /** A start whose request ended before it was announced. */
  discard(start: JournalEntry): void;
}

export type JournalSettings = Readonly<{
  directory: string;
  relayId: RelayId;
  clock: Clock;
  timers: Timers;
  files: Files;
  processTable: ProcessTable;
  logger: Logger;
  /** Bytes after which a new file begins; 8 MB by default. */
  segmentBytes?: number;
  /** After this long without a record the last file goes, once all of it was shipped; 90 s by default. */
  quietMs?: number;
}>;

class FileJournal implements ShippableJournal {
  readonly relayId: RelayId;
  readonly recovered: readonly RecoveredInstance[];
  readonly #segments: Segments;
  readonly #timers: Timers;
  readonly #prefix: string;
  readonly #bytes = new RecordBytes();
  #sequence = 0;
  #entries: JournalEntry[] = [];
  #callbacks: (() => void)[] = [];
  #isScheduled = false;
  #listener: (entries: readonly JournalEntry[]) => void = () => undefined;

  constructor(
    { relayId, timers }: Pick<JournalSettings, 'relayId' | 'timers'>,
    segments: Segments,
    recovered: readonly RecoveredInstance[],
  ) {
    this.relayId = relayId;
    this.recovered = recovered;
    this.#segments = segments;
    this.#timers = timers;
    this.#prefix = `{"relayId":${JSON.stringify(relayId)},"sequence":`;
  }

  started(entry: StartedEntry): void {
    const { userId, requestId } = entry;
    this.#add({ kind: 'started', userId, requestId }, startedText(entry));
  }

  ended(entry: UsedEntry | FailedEntry, onWritten: () => void): void {
    const { kind, userId, call } = entry;
    this.#callbacks.push(onWritten);
    this.#add({ kind, userId, requestId: call.requestId }, endedText(entry));
  }

  leaseIdle(entry: LeaseIdleEntry): void {
    const { userId } = entry;
    this.#add({ kind: 'lease-idle', userId, requestId: null }, idleText(entry));
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
    for (const entry of entries) this.#bytes.release(entry);
  }

  discard(start: JournalEntry): void {
    this.#bytes.release(start);
  }

  async close(): Promise<void> {
    this.#write();
    await this.#segments.close();
  }

  #add(about: About, rest: string): void {
    this.#sequence += 1;
    const place = this.#bytes.add(`${this.#prefix}${this.#sequence},${rest}`);
    const { kind, userId, requestId } = about;
    const { slab, from, to } = place;
    this.#entries.push({ kind, userId, requestId, sequence: this.#sequence, slab, from, to });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#timers.setImmediate(this.#write);
  }

  /** All of this tick in one write; the callbacks run even when the disk refuses. */
  readonly #write = (): void => {
    this.#isScheduled = false;
    if (this.#entries.length === 0) return;
    const entries = this.#entries;
    const callbacks = this.#callbacks;
    this.#entries = [];
    this.#callbacks = [];
    this.#segments.append(entries, this.#bytes.take());
    for (const onWritten of callbacks) onWritten();
    this.#listener(entries);
  };
}

/** Opens the journal of this instance, and finds those of instances that have ended. */
export const openJournal = (settings: JournalSettings): ShippableJournal => {
  const { relayId, timers, files, logger } = settings;
  const home = { root: settings.directory, files, processTable: settings.processTable };
  const recovered = deadInstances(home, relayId).map((instance) =>
    readInstance(instance, { files, logger }),
  );
  const segments = createSegments({
    directory: claimDirectory(home, relayId),
    files,
    timers,
    logger,
    segmentBytes: settings.segmentBytes ?? 8 * 1024 * 1024,
    ...(settings.quietMs === undefined ? {} : { quietMs: settings.quietMs }),
  });
  return new FileJournal(settings, segments, recovered);
};
