import { basename, join } from 'node:path';
import type { Files } from '../../infra/ports/files.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';
import { continuedFrame, noneSettled, segmentName, settledName } from './journal-file.ts';
import { Preallocation } from './journal-preallocation.ts';
import { SegmentFile } from './journal-segment-file.ts';
import { scanFrames } from './record-frame.ts';

export type DiskSettings = Readonly<{
  directory: string;
  files: Files;
  timers: Timers;
  logger: Logger;
  segmentBytes: number;
  /** No record is in memory alone any more. */
  onWritten: () => void;
}>;

const retryMs = 500;
/** What the outcome of a request in flight takes at most, but for the few that run tasks. */
const bytesPerOutcome = 4_096;
/** Bytes kept in memory while the disk refuses. */
const maxUnwritten = 64 * 1024 * 1024;
/** Settled records leave the memory when this much has gathered. */
const firstCompaction = 8 * 1024 * 1024;

const noBytes = Buffer.alloc(0);
const lengthOf = (pieces: readonly Buffer[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0);

/**
 * The files of one journal: one that is written and one that is made ready before it is needed, so
 * that a full disk shows before a record has no place. What the disk refuses stays in memory.
 */
export class JournalDisk {
  readonly #settings: DiskSettings;
  readonly #preallocation: Preallocation;
  #opened = 0;
  /** Of the newest file that left. */
  #settled: string;
  #current: SegmentFile;
  #next: SegmentFile | null = null;
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;
  #compactAt = firstCompaction;
  #canWrite = true;
  #canSync = true;
  #retry: Timer | null = null;
  #isClosed = false;

  constructor(settings: DiskSettings) {
    this.#settings = settings;
    this.#settled = join(settings.directory, noneSettled);
    this.#preallocation = new Preallocation(settings, () => this.#retryLater());
    this.#current = this.#newFile();
    this.#preallocation.finish(this.#current);
  }

  get path(): string {
    return this.#current.path;
  }

  get unwrittenBytes(): number {
    return this.#unwrittenBytes;
  }

  healthy(): boolean {
    return this.#canWrite && this.#canSync && this.#preallocation.hasSpace;
  }

  /** The disk takes another record and the outcomes of what is in flight. */
  accepts(inFlight: number): boolean {
    if (!this.#canWrite || !this.#canSync) return false;
    if (this.#preallocation.hasSpace) return true;
    const room = this.#current.room + (this.#next?.room ?? 0);
    return room > (inFlight + 1) * bytesPerOutcome;
  }

  /** The memory does. */
  holds(inFlight: number): boolean {
    return this.#unwrittenBytes + (inFlight + 1) * bytesPerOutcome < maxUnwritten;
  }

  /** Turns to the next file where the present one has no room; `path` is the one that is written. */
  makeRoom(length: number): void {
    const { end } = this.#current;
    const whole = end + length + continuedFrame.length;
    const isFull = end > 0 && whole > this.#settings.segmentBytes;
    if (!isFull || this.#unwrittenBytes > 0) return;
    this.#next ??= this.#newFile();
    if (!this.#preallocation.finish(this.#next)) return;
    this.#leaveFull(this.#current);
    this.#current = this.#next;
    this.#next = null;
  }

  /**
   * Where it cannot announce another file, the loss of that one is not detected, and nothing else
   * changes.
   */
  #leaveFull(file: SegmentFile): void {
    try {
      file.write([continuedFrame]);
    } catch (error) {
      this.#settings.logger.warn({ error: String(error) }, 'a journal file has no last record');
    }
    void file.leave();
  }

  /** Pieces are whole records. */
  write(pieces: readonly Buffer[]): void {
    if (this.#unwrittenBytes > 0) this.#keep(pieces);
    else if (!this.#writeOut(pieces)) this.#keep(pieces);
    if (this.#next !== null) return;
    this.#next = this.#newFile();
    this.#preallocation.begin(this.#next);
  }

  /** What was written to the file, and what the disk has refused of it. */
  async bytesOf(path: string): Promise<Buffer> {
    const { end, isOpen } = this.#current;
    const isCurrent = path === this.#current.path;
    const refused = isCurrent ? Buffer.concat(this.#unwritten) : noBytes;
    if (isCurrent && !isOpen) return refused;
    const bytes = Buffer.from(await this.#settings.files.readLater(path));
    return isCurrent ? Buffer.concat([bytes.subarray(0, end), refused]) : bytes;
  }

  /** No record of the written file is needed any more: a fresh file replaces it. */
  replace(): void {
    const old = this.#current;
    this.#current = this.#next ?? this.#newFile();
    this.#next = null;
    this.#preallocation.begin(this.#current);
    void old.leave();
    this.remove(old.path);
  }

  /** All of it is settled. Its name stays until the next one leaves: a file that is gone without it was lost. */
  remove(path: string): void {
    const { directory, files, logger } = this.#settings;
    const before = this.#settled;
    try {
      this.#settled = join(directory, settledName(basename(path)));
      files.rename(path, this.#settled);
      this.#empty(this.#settled);
      files.removeFile(before);
    } catch (error) {
      logger.warn({ error: String(error) }, 'a journal file could not be removed');
    }
  }

  /** True from time to time while much waits in memory. */
  get isToCompact(): boolean {
    return this.#unwrittenBytes > this.#compactAt;
  }

  /** Drops from memory what is not needed any more. */
  compact(isWanted: (json: string) => boolean): void {
    const bytes = Buffer.concat(this.#unwritten);
    const kept: Buffer[] = [];
    let at = 0;
    scanFrames(bytes, {
      onRecord: (from, to) => {
        if (isWanted(bytes.toString('latin1', from, to))) kept.push(bytes.subarray(at, to + 1));
        at = to + 1;
      },
      onDamage: () => undefined,
    });
    this.#unwritten = kept.length === 0 ? [] : [Buffer.concat(kept)];
    this.#unwrittenBytes = lengthOf(this.#unwritten);
    this.#compactAt = Math.max(firstCompaction, 2 * this.#unwrittenBytes);
    if (this.#unwrittenBytes === 0) this.#settings.onWritten();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#settings.timers.clear(this.#retry);
    this.#preallocation.stop();
    this.#flush();
    await Promise.all([this.#current.leave(), this.#next?.leave()]);
  }

  #empty(path: string): void {
    const { files } = this.#settings;
    const descriptor = files.open(path, 'append');
    try {
      files.truncate(descriptor, 0);
    } finally {
      files.close(descriptor);
    }
  }

  #newFile(): SegmentFile {
    this.#opened += 1;
    const path = join(this.#settings.directory, segmentName(this.#opened));
    return new SegmentFile(path, this.#settings, (error) => this.#synced(error));
  }

  #writeOut(pieces: readonly Buffer[]): boolean {
    try {
      this.#current.write(pieces);
      if (!this.#canWrite) this.#settings.logger.info({}, 'the journal can be written again');
      this.#canWrite = true;
      return true;
    } catch (error) {
      if (this.#canWrite) {
        this.#settings.logger.error({ error: String(error) }, 'the journal cannot be written');
      }
      this.#canWrite = false;
      this.#retryLater();
      return false;
    }
  }

  /** Copied: their memory is used again once the bus has them. */
  #keep(pieces: readonly Buffer[]): void {
    const copy = Buffer.concat(pieces);
    this.#unwritten.push(copy);
    this.#unwrittenBytes += copy.length;
    this.#retryLater();
  }

  #flush(): void {
    if (this.#unwrittenBytes === 0 || !this.#writeOut(this.#unwritten)) return;
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
    this.#compactAt = firstCompaction;
    this.#settings.onWritten();
  }

  #synced(error: unknown): void {
    const isFailure = error !== null;
    if (isFailure && this.#canSync) {
      this.#settings.logger.error({ error: String(error) }, 'the journal cannot be synced');
    }
    this.#canSync = !isFailure;
    if (isFailure) this.#retryLater();
  }

  #retryLater(): void {
    if (this.#retry !== null || this.#isClosed) return;
    const again = (): void => {
      this.#retry = null;
      this.#flush();
      if (!this.#canSync) this.#current.sync();
      this.#preallocation.finish(this.#next ?? this.#current);
      if (!this.healthy()) this.#retryLater();
    };
    this.#retry = this.#settings.timers.setTimeout(again, retryMs).unref();
  }
}
