import { closeSync, openSync, unlinkSync, writeSync, writevSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../infra/ports/logger.ts';
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
  logger: Logger;
  segmentBytes: number;
  quietMs?: number;
}>;

/** Bytes kept while the disk refuses. */
const largestBacklog = 64 * 1024 * 1024;
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
  readonly #segments: Segment[] = [];
  /** Where each request without a shipped end was announced. */
  readonly #starts = new Map<string, Segment>();
  readonly #marks = new Map<number, number>();
  #descriptor: number | null = null;
  #files = 0;
  #backlog: readonly Buffer[] = [];
  #isHealthy = true;
  #retry: NodeJS.Timeout | null = null;
  #marking: NodeJS.Timeout | null = null;
  #sweeping: NodeJS.Timeout | null = null;
  #appends = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
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
      for (const line of parseLines(await readFile(path, 'utf8'))) {
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
    if (this.#retry !== null) clearTimeout(this.#retry);
    if (this.#marking !== null) clearTimeout(this.#marking);
    if (this.#sweeping !== null) clearTimeout(this.#sweeping);
    this.#write(this.#takeMarks());
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
    const isDone = this.#segments.every(({ pending }) => pending === 0) && this.#isHealthy;
    if (isDone) await rm(this.#settings.directory, { recursive: true, force: true });
  }

  /** Usually the next records carry the marks along; in quiet times they are written alone. */
  #markLater(): void {
    this.#marking ??= setTimeout(() => {
      this.#marking = null;
      this.#write(this.#takeMarks());
    }, markWithinMs).unref();
  }

  /** The last file is never full on a quiet site; records say what people asked for, and must not stay. */
  #sweepLater(): void {
    if (this.#sweeping !== null) return;
    const appends = this.#appends;
    this.#sweeping = setTimeout(() => {
      this.#sweeping = null;
      if (appends === this.#appends) this.#dropLast();
      else this.#sweepLater();
    }, this.#settings.quietMs ?? defaultQuietMs).unref();
  }

  #dropLast(): void {
    const [only, ...others] = this.#segments;
    const isDone = only !== undefined && others.length === 0 && only.pending === 0;
    if (!isDone || this.#backlog.length > 0) return;
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
    this.#segments.length = 0;
    // They speak of records in files, and there are none.
    this.#marks.clear();
    this.#unlink(only);
  }

  #unlink({ path }: Segment): void {
    try {
      unlinkSync(path);
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
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
    this.#files += 1;
    const name = `${String(this.#files).padStart(8, '0')}.log`;
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
    // Names and addresses of users stand in it.
    this.#descriptor ??= openSync(path, 'a', 0o600);
    const [first] = pieces;
    const isOne = pieces.length === 1 && first !== undefined;
    const written = isOne
      ? writeSync(this.#descriptor, first)
      : writevSync(this.#descriptor, pieces);
    if (written === lengthOf(pieces)) return;
    const all = Buffer.concat(pieces);
    for (let at = written; at < all.length; ) at += writeSync(this.#descriptor, all, at);
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
    if (lengthOf(this.#backlog) > largestBacklog) {
      this.#settings.logger.error({}, 'the journal gave up records that the disk refused');
      this.#backlog = [lineBreak];
    }
    if (this.#retry !== null) return;
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.#write([]);
    }, retryMs);
    this.#retry.unref();
  }
}

export const createSegments = (settings: Settings): Segments => new FileSegments(settings);
