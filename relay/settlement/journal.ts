import type {
  RequestFailedRecord,
  RequestStarted,
  RequestUsed,
} from '../../domain/account/messages.ts';
import type { ProducerId, RelayId, RequestId, UserId } from '../../domain/shared/ids.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Files } from '../../infra/ports/files.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Metrics } from '../../infra/ports/metrics.ts';
import type { ProcessTable } from '../../infra/ports/process-table.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import type { LeaseIdleEntry } from '../admission/lease-book.ts';
import { createDamageLog } from './journal-damage.ts';
import { claimDirectory, deadInstances } from './journal-owner.ts';
import { partitionOf } from './journal-partition.ts';
import { type RecoveredInstance, readInstance } from './journal-recovery.ts';
import { type OpenRequest, Segments } from './journal-segments.ts';
import { type Place, RecordBytes } from './record-bytes.ts';
import type { RecordHead } from './record-head.ts';
import { asciiJson, endedText, idleText, producerEndedText, startedText } from './record-text.ts';
import { UnwrittenOutcomes } from './unwritten-outcomes.ts';
import { type Producer, UsageNumbers } from './usage-numbers.ts';

/** What the journal adds to every record. */
type Numbering = 'sequence' | 'relayId' | 'kind';
/** Under which an outcome is numbered; null for what no lease funds. */
type OfProducer = Readonly<{ producerId: ProducerId | null }>;
export type StartedEntry = Omit<RequestStarted, Numbering | 'producerId'> & OfProducer;
export type UsedEntry = Omit<RequestUsed, 'sequence' | 'relayId' | 'usageNumber'> & OfProducer;
export type FailedEntry = Omit<RequestFailedRecord, 'sequence' | 'relayId'>;

/** Starts and outcomes of this relay until the keeper has settled them. Append-only files. */
export interface Journal {
  /** The relay instance that this journal belongs to; part of every record. */
  readonly relayId: RelayId;
  /** A request was admitted. Written with this tick's batch. */
  started(entry: StartedEntry): void;
  /** A request ended. `onKept` runs once the record is in the operating system's hands, or settled. */
  ended(entry: UsedEntry | FailedEntry, onKept: () => void): void;
  /** An idle lease goes back, after everything recorded before. */
  leaseIdle(entry: LeaseIdleEntry): void;
  /** The last number of this account's newest producer; 0 once the keeper has announced its record settled. */
  unsettledNumber(userId: UserId): number;
  /** This instance records nothing more for accounts without a request that may still end. */
  endProducers(): void;
  /** False while usage can neither be written nor be settled in time: no call may be admitted. */
  accepting(): boolean;
  /** False while the disk refuses records or room for them; they are kept in bounded memory meanwhile. */
  healthy(): boolean;
  close(): Promise<void>;
}

/** One record on its way to the keeper. */
export type JournalEntry = Place & RecordHead & Readonly<{ request: RunningRequest | null }>;

/** A request from its start to its end. */
type RunningRequest = OpenRequest & Readonly<{ producer: Producer | null }>;

type About = Omit<RecordHead, 'sequence'> & Pick<JournalEntry, 'request'>;

/** What the keeper has settled of one partition. */
export type SettledRecords = Readonly<{
  partition: number;
  /** Of records that are not starts. */
  sequences: readonly number[];
  /** All of the partition up to this sequence is settled. */
  upTo: number;
}>;

/** What else the shipper needs of a journal. */
export interface ShippableJournal extends Journal {
  /** Earlier instances in the same directory whose process is gone. */
  readonly recovered: readonly RecoveredInstance[];
  /** Called with every entry after its tick was written. One listener. */
  follow(listener: (entries: readonly JournalEntry[]) => void): void;
  /** Entries after this sequence, from the files, in order. */
  read(after: Readonly<{ sequence: number; limit: number }>): Promise<readonly JournalEntry[]>;
  /** The entries with these sequences, from the files; without starts of requests that have ended. */
  readAgain(sequences: readonly number[]): Promise<readonly JournalEntry[]>;
  /**
   * Their memory is free: the bus has them, the files contain them, or the bus need not have them.
   */
  release(entries: readonly JournalEntry[]): void;
  /** Files that hold nothing else go away. */
  settled(records: SettledRecords): void;
  /** How the journal learns whether the bus takes records. */
  watchBus(isTaking: () => boolean): void;
  /** True when no record is in the memory alone. */
  isWritten(): boolean;
}

export type JournalSettings = Readonly<{
  directory: string;
  relayId: RelayId;
  clock: Clock;
  timers: Timers;
  files: Files;
  processTable: ProcessTable;
  logger: Logger;
  metrics: Metrics;
  /** Bytes after which a new file begins; 8 MB by default. */
  segmentBytes?: number;
  /** After this long without a record the last file goes, once all of it is settled; 90 s by default. */
  quietMs?: number;
}>;

class FileJournal implements ShippableJournal {
  readonly relayId: RelayId;
  readonly recovered: readonly RecoveredInstance[];
  readonly #segments: Segments;
  readonly #timers: Timers;
  readonly #prefix: string;
  readonly #bytes = new RecordBytes();
  readonly #numbers = new UsageNumbers();
  readonly #open: Map<RequestId, RunningRequest>;
  readonly #unwritten: UnwrittenOutcomes;
  #sequence = 0;
  #entries: JournalEntry[] = [];
  #outcomes: Readonly<{ sequence: number; onKept: () => void }>[] = [];
  #isScheduled = false;
  #listener: (entries: readonly JournalEntry[]) => void = () => undefined;
  #isBusTaking: () => boolean = () => true;

  constructor(
    { relayId, timers }: Pick<JournalSettings, 'relayId' | 'timers'>,
    files: Readonly<{
      segments: Segments;
      open: Map<RequestId, RunningRequest>;
      unwritten: UnwrittenOutcomes;
    }>,
    recovered: readonly RecoveredInstance[],
  ) {
    this.relayId = relayId;
    this.recovered = recovered;
    this.#segments = files.segments;
    this.#open = files.open;
    this.#unwritten = files.unwritten;
    this.#timers = timers;
    this.#prefix = `{"relayId":${asciiJson(JSON.stringify(relayId))},"sequence":`;
  }

  started(entry: StartedEntry): void {
    const { userId, requestId } = entry;
    const producer = this.#numbers.of(userId, entry.producerId);
    if (producer !== null) producer.open += 1;
    const request: RunningRequest = { segment: null, producer };
    this.#open.set(requestId, request);
    this.#add({ kind: 'started', userId, requestId, request }, startedText(entry));
  }

  ended(entry: UsedEntry | FailedEntry, onKept: () => void): void {
    const { kind, userId, call } = entry;
    const { requestId } = call;
    const request = this.#open.get(requestId) ?? null;
    this.#open.delete(requestId);
    if (request !== null && request.producer !== null) request.producer.open -= 1;
    const number = kind === 'used' ? this.#next(userId, entry.producerId) : 0;
    this.#add({ kind, userId, requestId, request }, endedText(entry, number));
    this.#outcomes.push({ sequence: this.#sequence, onKept });
  }

  leaseIdle(entry: LeaseIdleEntry): void {
    const { userId, producerId } = entry;
    const number = this.#next(userId, producerId);
    const about = { kind: 'lease-idle', userId, requestId: null, request: null } as const;
    this.#add(about, idleText(entry, number));
  }

  unsettledNumber(userId: UserId): number {
    const producer = this.#numbers.newest(userId);
    if (producer === null) return 0;
    const isSettled = producer.lastSequence <= this.#segments.settledUpTo(partitionOf(userId));
    return isSettled ? 0 : producer.last;
  }

  endProducers(): void {
    for (const producer of this.#numbers.idle()) {
      const { userId } = producer;
      const about = { kind: 'producer-ended', userId, requestId: null, request: null } as const;
      this.#add(about, producerEndedText(producer));
    }
  }

  accepting(): boolean {
    const inFlight = this.#open.size;
    if (this.#segments.accepts(inFlight)) return true;
    return this.#segments.holds(inFlight) && this.#isBusTaking() && !this.#unwritten.isOverdue;
  }

  healthy(): boolean {
    return this.#segments.healthy();
  }

  isWritten(): boolean {
    return this.#segments.unwrittenBytes === 0;
  }

  watchBus(isTaking: () => boolean): void {
    this.#isBusTaking = isTaking;
  }

  follow(listener: (entries: readonly JournalEntry[]) => void): void {
    this.#listener = listener;
  }

  read(after: Readonly<{ sequence: number; limit: number }>): Promise<readonly JournalEntry[]> {
    return this.#segments.read(after);
  }

  readAgain(sequences: readonly number[]): Promise<readonly JournalEntry[]> {
    return this.#segments.readAgain(sequences);
  }

  release(entries: readonly JournalEntry[]): void {
    for (const entry of entries) this.#bytes.release(entry);
  }

  settled(records: SettledRecords): void {
    this.#segments.settled(records);
    this.#unwritten.settled(records.sequences);
  }

  async close(): Promise<void> {
    this.#write();
    await this.#segments.close();
  }

  /** For the record that is added next. */
  #next(userId: UserId, producerId: ProducerId | null): number {
    const producer = this.#numbers.of(userId, producerId);
    if (producer === null) return 0;
    producer.last += 1;
    producer.lastSequence = this.#sequence + 1;
    return producer.last;
  }

  #add(about: About, rest: string): void {
    this.#sequence += 1;
    const place = this.#bytes.add(`${this.#prefix}${this.#sequence},${rest}`);
    const { kind, userId, requestId, request } = about;
    const { slab, from, to } = place;
    const sequence = this.#sequence;
    this.#entries.push({ kind, userId, requestId, request, sequence, slab, from, to });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#timers.setImmediate(this.#write);
  }

  /** All of this tick in one write. */
  readonly #write = (): void => {
    this.#isScheduled = false;
    if (this.#entries.length === 0) return;
    const entries = this.#entries;
    const outcomes = this.#outcomes;
    this.#entries = [];
    this.#outcomes = [];
    this.#segments.append(entries, this.#bytes.take());
    if (this.isWritten()) for (const { onKept } of outcomes) onKept();
    else this.#unwritten.add(outcomes);
    this.#listener(entries);
  };
}

/** Opens the journal of this instance, and finds those of instances that have ended. */
export const openJournal = (settings: JournalSettings): ShippableJournal => {
  const { relayId, timers, files, logger, metrics } = settings;
  const home = { root: settings.directory, files, processTable: settings.processTable };
  const onDamage = createDamageLog(logger, metrics);
  const recovered = deadInstances(home, relayId).map((instance) =>
    readInstance(instance, { files, logger, onDamage }),
  );
  const open = new Map<RequestId, RunningRequest>();
  const unwritten = new UnwrittenOutcomes(() => timers.now());
  const segments = new Segments({
    directory: claimDirectory(home, relayId),
    files,
    timers,
    logger,
    segmentBytes: settings.segmentBytes ?? 8 * 1024 * 1024,
    isOpen: (requestId) => open.has(requestId),
    onDamage,
    onWritten: () => unwritten.written(),
    ...(settings.quietMs === undefined ? {} : { quietMs: settings.quietMs }),
  });
  return new FileJournal(settings, { segments, open, unwritten }, recovered);
};
