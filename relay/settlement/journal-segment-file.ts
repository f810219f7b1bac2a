import type { Descriptor, Files } from '../../infra/ports/files.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';

type Settings = Readonly<{ files: Files; timers: Timers }>;

/** Records reach the disk itself within about this time; a crash of the process alone loses none. */
const syncWithinMs = 50;

const lengthOf = (pieces: readonly Buffer[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0);

/** One file of a journal while it is written. */
export class SegmentFile {
  readonly path: string;
  readonly #files: Files;
  readonly #timers: Timers;
  /** With what went wrong; null: what was written is on the disk itself. */
  readonly #onSynced: (error: unknown) => void;
  #descriptor: Descriptor | null = null;
  #end = 0;
  #allocated = 0;
  #isDirty = false;
  #syncing: Promise<void> | null = null;
  #timer: Timer | null = null;
  #isLeft = false;

  constructor(path: string, { files, timers }: Settings, onSynced: (error: unknown) => void) {
    this.path = path;
    this.#files = files;
    this.#timers = timers;
    this.#onSynced = onSynced;
  }

  get isOpen(): boolean {
    return this.#descriptor !== null;
  }

  /** Bytes of whole writes. */
  get end(): number {
    return this.#end;
  }

  get isLeft(): boolean {
    return this.#isLeft;
  }

  get allocated(): number {
    return this.#allocated;
  }

  /** Bytes that can be written on a full disk. */
  get room(): number {
    return this.#allocated - this.#end;
  }

  /** @throws the error of the operating system */
  allocate(length: number): void {
    if (this.#isLeft || length <= this.#allocated) return;
    this.#files.preallocate(this.#open(), length);
    this.#allocated = length;
  }

  /**
   * All of it or none: what was written of pieces that did not fit is overwritten by the next.
   * @throws the error of the operating system
   */
  write(pieces: readonly Buffer[]): void {
    const descriptor = this.#open();
    const length = lengthOf(pieces);
    let written = this.#files.write(descriptor, pieces, this.#end);
    if (written < length) {
      const all = Buffer.concat(pieces);
      while (written < length) {
        written += this.#files.write(descriptor, [all.subarray(written)], this.#end + written);
      }
    }
    this.#end += length;
    this.#allocated = Math.max(this.#allocated, this.#end);
    this.#isDirty = true;
    this.#syncLater();
  }

  /** Not awaited by what writes. */
  sync(): void {
    this.#timers.clear(this.#timer);
    this.#timer = null;
    if (this.#syncing !== null || this.#isLeft) return;
    this.#syncing = this.#syncNow().finally(() => {
      this.#syncing = null;
      if (this.#isDirty) this.#syncLater();
    });
  }

  /** Nothing more is written to it. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    this.#timers.clear(this.#timer);
    await this.#syncing;
    if (this.#isDirty) await this.#syncNow();
    this.#timers.clear(this.#timer);
    if (this.#descriptor !== null) this.#files.close(this.#descriptor);
    this.#descriptor = null;
  }

  async #syncNow(): Promise<void> {
    if (this.#descriptor === null) return;
    this.#isDirty = false;
    try {
      await this.#files.sync(this.#descriptor);
      this.#onSynced(null);
    } catch (error) {
      this.#onSynced(error);
    }
  }

  #syncLater(): void {
    if (this.#isLeft) return;
    this.#timer ??= this.#timers.setTimeout(() => this.sync(), syncWithinMs).unref();
  }

  #open(): Descriptor {
    this.#descriptor ??= this.#files.open(this.path, 'create');
    return this.#descriptor;
  }
}
