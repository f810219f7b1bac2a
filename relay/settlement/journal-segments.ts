import { join } from 'node:path';
import type { Descriptor, Files } from '../../infra/ports/files.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';
import type { JournalEntry } from './journal.ts';
import { entryOf, parseLines } from './journal-lines.ts';
import { partitionOf } from './journal-partition.ts';

type Segment = {
  readonly path: string;
  readonly firstSequence: number;
  lastSequence: number;
  bytes: number;
  /** Records that were not shipped, and starts whose end was not shipped. */
  pending: number;
};

export interface Segments {
  /** One write for all of them, whose text is in `bytes`. Kept in bounded memory when the disk refuses. */
  append(entries: readonly JournalEntry[], bytes: readonly Buffer[]): void;
  read(after: Readonly<{ sequence: number; limit: number }>): Promise<readonly JournalEntry[]>;
  shipped(entries: readonly JournalEntry[]): void;
  healthy(): boolean;
  close(): Promise<void>;
}

type Settings = Readonly<{
  directory: string;
  files: Files;
  timers: Timers;
  logger: Logger;
  segmentBytes: number;
  quietMs?: number;
}>;

/** Bytes kept while the disk refuses. */
const maxBacklog = 64 * 1024 * 1024;
const retryMs = 500;
const markWithinMs = 200;
/** Longer than leases stay idle: which of them are open is told by the files alone after a crash. */
const defaultQuietMs = 90_000;

const lineBreak = Buffer.from('\n');
const lengthOf = (pieces: readonly Buffer[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0);

const isEnd = ({ kind }: JournalEntry): boolean => kind === 'used' || kind === 'failed';

class FileSegments implements Segments {
  readonly #settings: Settings;
  readonly #files: Files;
  readonly #segments: Segment[] = [];
  /** Where each request without a shipped end was announced. */
  readonly #starts = new Map<string, Segment>();
  readonly #marks = new Map<number, number>();
  #descriptor: Descriptor | null = null;
  #opened = 0;
  #backlog: readonly Buffer[] = [];
  #isHealthy = true;
  #retry: Timer | null = null;
  #marking: Timer | null = null;
  #sweeping: Timer | null = null;
  #appends = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#files = settings.files;
  }

  append(entries: readonly JournalEntry[], bytes: readonly Buffer[]): void {
    const [first] = entries;
    if (first === undefined) return;
    this.#appends += 1;
    const segment = this.#current(first.sequence);
    for (const entry of entries) {
      segment.lastSequence = entry.sequence;
      segment.pending += 1;
      if (entry.kind === 'started' && entry.requestId !== null) {
        this.#starts.set(entry.requestId, segment);
      }
    }
    const marks = this.#takeMarks();
    segment.bytes += lengthOf(marks) + lengthOf(bytes);
    this.#write(marks.length === 0 ? bytes : [...marks, ...bytes]);
  }

  shipped(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      // An announced request is in its file until its end has left, so that a crash finds it.
      if (entry.kind !== 'started') this.#done(this.#segmentOf(entry.sequence));
      if (isEnd(entry) && entry.requestId !== null) {
        this.#done(this.#starts.get(entry.requestId));
        this.#starts.delete(entry.requestId);
      }
      if (entry.kind === 'started') continue;
      this.#marks.set(partitionOf(entry.userId), entry.sequence);
    }
    this.#dropShipped();
    this.#markLater();
    this.#sweepLater();
  }

  async read({
    sequence,
    limit,
  }: Readonly<{ sequence: number; limit: number }>): Promise<readonly JournalEntry[]> {
    const found: JournalEntry[] = [];
    for (const { path, lastSequence } of [...this.#segments]) {
      if (lastSequence <= sequence) continue;
      const bytes = await this.#files.readLater(path);
      for (const line of parseLines(Buffer.from(bytes).toString('utf8'))) {
        if (line.kind !== 'record' || line.record.sequence <= sequence) continue;
        found.push(entryOf(line.record, line.line));
        if (found.length >= limit) return found;
      }
    }
    return found;
  }

  healthy(): boolean {
    return this.#isHealthy;
  }

  async close(): Promise<void> {
    const { timers, directory } = this.#settings;
    timers.clear(this.#retry);
    timers.clear(this.#marking);
    timers.clear(this.#sweeping);
    this.#write(this.#takeMarks());
    this.#closeFile();
    const isDone = this.#segments.every(({ pending }) => pending === 0) && this.#isHealthy;
    if (isDone) await this.#files.removeTree(directory);
  }

  #closeFile(): void {
    if (this.#descriptor !== null) this.#files.close(this.#descriptor);
    this.#descriptor = null;
  }

  /** Usually the next records carry the marks along; in quiet times they are written alone. */
  #markLater(): void {
    if (this.#marking !== null) return;
    const mark = (): void => {
      this.#marking = null;
      this.#write(this.#takeMarks());
    };
    this.#marking = this.#settings.timers.setTimeout(mark, markWithinMs).unref();
  }

  /** The last file is never full on a quiet site; records say what people asked for, and must not stay. */
  #sweepLater(): void {
    if (this.#sweeping !== null) return;
    const appends = this.#appends;
    const sweep = (): void => {
      this.#sweeping = null;
      if (appends === this.#appends) this.#dropLast();
      else this.#sweepLater();
    };
    const { timers, quietMs = defaultQuietMs } = this.#settings;
    this.#sweeping = timers.setTimeout(sweep, quietMs).unref();
  }

  #dropLast(): void {
    const [only, ...others] = this.#segments;
    const isDone = only !== undefined && others.length === 0 && only.pending === 0;
    if (!isDone || this.#backlog.length > 0) return;
    this.#closeFile();
    this.#segments.length = 0;
    // They speak of records in files, and there are none.
    this.#marks.clear();
    this.#unlink(only);
  }

  #unlink({ path }: Segment): void {
    try {
      this.#files.removeFile(path);
    } catch (error) {
      this.#settings.logger.warn({ error: String(error) }, 'a journal file could not be removed');
    }
  }

  #takeMarks(): readonly Buffer[] {
    if (this.#marks.size === 0) return [];
    const text = `${JSON.stringify({ shipped: [...this.#marks] })}\n`;
    this.#marks.clear();
    return [Buffer.from(text)];
  }

  #segmentOf(sequence: number): Segment | undefined {
    for (let at = this.#segments.length - 1; at >= 0; at -= 1) {
      const segment = this.#segments[at];
      if (segment !== undefined && segment.firstSequence <= sequence) return segment;
    }
    return undefined;
  }

  #done(segment: Segment | undefined): void {
    if (segment !== undefined) segment.pending -= 1;
  }

  #current(sequence: number): Segment {
    const last = this.#segments.at(-1);
    const isFull = last !== undefined && last.bytes >= this.#settings.segmentBytes;
    if (last !== undefined && (!isFull || this.#backlog.length > 0)) return last;
    this.#closeFile();
    this.#opened += 1;
    const name = `${String(this.#opened).padStart(8, '0')}.log`;
    const segment: Segment = {
      path: join(this.#settings.directory, name),
      firstSequence: sequence,
      lastSequence: sequence,
      bytes: 0,
      pending: 0,
    };
    this.#segments.push(segment);
    return segment;
  }

  /** Oldest first, so that no start outlives its end. The one being written stays. */
  #dropShipped(): void {
    while (this.#segments.length > 1) {
      const [oldest] = this.#segments;
      if (oldest === undefined || oldest.pending > 0) return;
      this.#segments.shift();
      this.#unlink(oldest);
    }
  }

  #write(pieces: readonly Buffer[]): void {
    const wanted = this.#backlog.length === 0 ? pieces : [...this.#backlog, ...pieces];
    if (wanted.length === 0) return;
    try {
      this.#writeOut(wanted);
      if (!this.#isHealthy) this.#settings.logger.info({}, 'the journal can be written again');
      this.#isHealthy = true;
      this.#backlog = [];
    } catch (error) {
      this.#keepForLater(pieces, error);
    }
  }

  #writeOut(pieces: readonly Buffer[]): void {
    const path = this.#segments.at(-1)?.path;
    if (path === undefined) return;
    this.#descriptor ??= this.#files.open(path, 'append');
    const written = this.#files.write(this.#descriptor, pieces, null);
    if (written === lengthOf(pieces)) return;
    const all = Buffer.concat(pieces);
    for (let at = written; at < all.length; ) {
      at += this.#files.write(this.#descriptor, [all.subarray(at)], null);
    }
  }

  #keepForLater(pieces: readonly Buffer[], error: unknown): void {
    if (this.#isHealthy) {
      this.#settings.logger.error({ error: String(error) }, 'the journal cannot be written');
    }
    this.#isHealthy = false;
    // A line may have been torn: what follows begins on a line of its own.
    const before = this.#backlog.length === 0 ? [lineBreak] : this.#backlog;
    // Copied: where they stand is used again once the bus has them.
    this.#backlog = [...before, Buffer.concat(pieces)];
    if (lengthOf(this.#backlog) > maxBacklog) {
      this.#settings.logger.error({}, 'the journal gave up records that the disk refused');
      this.#backlog = [lineBreak];
    }
    if (this.#retry !== null) return;
    const again = (): void => {
      this.#retry = null;
      this.#write([]);
    };
    this.#retry = this.#settings.timers.setTimeout(again, retryMs).unref();
  }
}

export const createSegments = (settings: Settings): Segments => new FileSegments(settings);
