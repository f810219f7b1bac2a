import type { RequestId } from '../../domain/shared/ids.ts';
import type { Timer } from '../../infra/ports/timers.ts';
import type { JournalEntry, SettledRecords } from './journal.ts';
import type { DamageListener } from './journal-damage.ts';
import { type DiskSettings, JournalDisk } from './journal-disk.ts';
import { itemsOf, type JournalItem, markFrame, wantedEntries } from './journal-file.ts';
import { partitionOf } from './journal-partition.ts';
import { headOfText, type RecordHead } from './record-head.ts';

/** A file of the journal and what holds it there. */
type Segment = {
  readonly path: string;
  readonly firstSequence: number;
  lastSequence: number;
  /** Records that are not settled, and starts of requests that have no recorded end. */
  pending: number;
};

/** A request from its start to its end, and the file that its start is in. */
export type OpenRequest = { segment: Segment | null };

type Settings = DiskSettings &
  Readonly<{
    quietMs?: number;
    /** A request has started and not ended. */
    isOpen: (requestId: RequestId) => boolean;
    onDamage: DamageListener;
  }>;

const markWithinMs = 200;
/** Longer than leases stay idle: after a crash only the files show which of them are open. */
const defaultQuietMs = 90_000;

const lengthOf = (pieces: readonly Buffer[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0);

/** Which records the files of this journal hold, until the keeper has settled them. */
export class Segments {
  readonly #settings: Settings;
  readonly #disk: JournalDisk;
  readonly #segments: Segment[] = [];
  /** Partition → up to where all is settled. */
  readonly #settledUpTo = new Map<number, number>();
  /** Partitions that are not recorded in the files yet. */
  readonly #unmarked = new Set<number>();
  #marking: Timer | null = null;
  #sweeping: Timer | null = null;
  #appends = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#disk = new JournalDisk(settings);
  }

  /** One write for all of them, whose text is in `bytes`. */
  append(entries: readonly JournalEntry[], bytes: readonly Buffer[]): void {
    const [first] = entries;
    if (first === undefined) return;
    this.#appends += 1;
    const marks = this.#takeMarks();
    const pieces = marks.length === 0 ? bytes : [...marks, ...bytes];
    this.#disk.makeRoom(lengthOf(pieces));
    const segment = this.#current(first.sequence);
    for (const entry of entries) {
      segment.lastSequence = entry.sequence;
      segment.pending += 1;
      if (entry.request !== null) follow(entry.request, entry, segment);
    }
    this.#disk.write(pieces);
    if (this.#disk.isToCompact) this.#compact();
  }

  settled({ partition, sequences, upTo }: SettledRecords): void {
    for (let at = sequences.length - 1; at >= 0; at -= 1) {
      const segment = this.#segmentOf(sequences[at] ?? 0);
      if (segment !== undefined) segment.pending -= 1;
    }
    if (upTo > this.settledUpTo(partition)) {
      this.#settledUpTo.set(partition, upTo);
      this.#unmarked.add(partition);
    }
    this.#dropSettled();
    this.#markLater();
    this.#sweepLater();
  }

  /** The next records after a sequence, in order. */
  async read(after: Readonly<{ sequence: number; limit: number }>): Promise<JournalEntry[]> {
    const found: JournalEntry[] = [];
    for (const { path, lastSequence } of [...this.#segments]) {
      if (lastSequence <= after.sequence) continue;
      const items = await this.#itemsOf(path);
      found.push(...wantedEntries(items, ({ sequence }) => sequence > after.sequence));
      if (found.length >= after.limit) return found.slice(0, after.limit);
    }
    return found;
  }

  /** The records with these sequences, which rise; a start only while its request runs. */
  async readAgain(sequences: readonly number[]): Promise<JournalEntry[]> {
    const first = sequences[0] ?? 0;
    const last = sequences.at(-1) ?? 0;
    const wanted = new Set(sequences);
    const isWanted = ({ sequence, kind, requestId }: RecordHead): boolean =>
      wanted.has(sequence) &&
      (kind !== 'started' || (requestId !== null && this.#settings.isOpen(requestId)));
    const found: JournalEntry[] = [];
    for (const { path, firstSequence, lastSequence } of [...this.#segments]) {
      if (lastSequence < first || firstSequence > last) continue;
      found.push(...wantedEntries(await this.#itemsOf(path), isWanted));
    }
    return found;
  }

  /** All of the partition up to this sequence is settled; 0: none yet. */
  settledUpTo(partition: number): number {
    return this.#settledUpTo.get(partition) ?? 0;
  }

  healthy(): boolean {
    return this.#disk.healthy();
  }

  accepts(inFlight: number): boolean {
    return this.#disk.accepts(inFlight);
  }

  holds(inFlight: number): boolean {
    return this.#disk.holds(inFlight);
  }

  /** Bytes that are in memory alone. */
  get unwrittenBytes(): number {
    return this.#disk.unwrittenBytes;
  }

  async close(): Promise<void> {
    const { timers, directory, files, logger } = this.#settings;
    timers.clear(this.#marking);
    timers.clear(this.#sweeping);
    this.#mark();
    await this.#disk.close();
    const pending = this.#segments.reduce((sum, segment) => sum + segment.pending, 0);
    const bytes = this.#disk.unwrittenBytes;
    if (bytes > 0 && pending > 0) {
      logger.error({ bytes, records: pending }, 'the journal closes with records the disk refused');
    }
    if (pending === 0) await files.removeTree(directory);
  }

  async #itemsOf(path: string): Promise<JournalItem[]> {
    const items = itemsOf(await this.#disk.bytesOf(path));
    for (const item of items) {
      if (item.kind === 'damage') this.#settings.onDamage(path, item.damage);
    }
    return items;
  }

  /** Usually the next records carry the marks along; in quiet times they are written alone. */
  #markLater(): void {
    if (this.#marking !== null || this.#unmarked.size === 0) return;
    const mark = (): void => {
      this.#marking = null;
      this.#mark();
    };
    this.#marking = this.#settings.timers.setTimeout(mark, markWithinMs).unref();
  }

  #mark(): void {
    const marks = this.#takeMarks();
    if (marks.length > 0) this.#disk.write(marks);
  }

  /** A repeat is harmless, so they do not wait in memory for a disk that refuses. */
  #takeMarks(): readonly Buffer[] {
    if (this.#unmarked.size === 0 || this.#disk.unwrittenBytes > 0) return [];
    if (this.#segments.length === 0) return [];
    const upTo = [...this.#unmarked].map(
      (partition) => [partition, this.settledUpTo(partition)] as const,
    );
    this.#unmarked.clear();
    return [markFrame(upTo)];
  }

  /**
   * The last file is never full on a quiet site; records may contain prompts, and must not stay.
   */
  #sweepLater(): void {
    if (this.#sweeping !== null) return;
    const appends = this.#appends;
    const sweep = (): void => {
      this.#sweeping = null;
      if (appends === this.#appends) this.#replaceLast();
      else this.#sweepLater();
    };
    const { timers, quietMs = defaultQuietMs } = this.#settings;
    this.#sweeping = timers.setTimeout(sweep, quietMs).unref();
  }

  #replaceLast(): void {
    const [only, ...others] = this.#segments;
    const isDone = only !== undefined && others.length === 0 && only.pending === 0;
    if (!isDone || this.#disk.unwrittenBytes > 0) return;
    this.#segments.length = 0;
    // They refer to records in files, and there are none.
    this.#unmarked.clear();
    this.#disk.replace();
  }

  #segmentOf(sequence: number): Segment | undefined {
    for (let at = this.#segments.length - 1; at >= 0; at -= 1) {
      const segment = this.#segments[at];
      if (segment !== undefined && segment.firstSequence <= sequence) return segment;
    }
    return undefined;
  }

  #current(sequence: number): Segment {
    const { path } = this.#disk;
    const last = this.#segments.at(-1);
    if (last?.path === path) return last;
    const first = { firstSequence: sequence, lastSequence: sequence };
    const segment: Segment = { path, ...first, pending: 0 };
    this.#segments.push(segment);
    return segment;
  }

  /** Oldest first, so that no start outlives its end. The one being written stays. */
  #dropSettled(): void {
    while (this.#segments.length > 1) {
      const [oldest] = this.#segments;
      if (oldest === undefined || oldest.pending > 0 || this.#disk.unwrittenBytes > 0) return;
      this.#segments.shift();
      this.#disk.remove(oldest.path);
    }
  }

  #compact(): void {
    this.#disk.compact((json) => {
      if (json.startsWith('{"settled":')) return false;
      const { kind, userId, sequence, requestId } = headOfText(json);
      if (kind === 'started') return requestId !== null && this.#settings.isOpen(requestId);
      return sequence > this.settledUpTo(partitionOf(userId));
    });
  }
}

/** A start holds its file until the end is recorded, so that a crash finds it; its end takes it off. */
const follow = (request: OpenRequest, { kind }: JournalEntry, segment: Segment): void => {
  if (kind === 'started') {
    request.segment = segment;
    return;
  }
  if (request.segment !== null) request.segment.pending -= 1;
  request.segment = null;
};
