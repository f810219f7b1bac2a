import type { Descriptor, Files, OpenMode } from '../../../infra/ports/files.ts';
import type { Dice } from '../world/dice.ts';
import type { Machine } from '../world/machine.ts';
import { SimFile } from './sim-file.ts';

type Open = { readonly file: SimFile; readonly mode: OpenMode; at: number };

const fault = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code });

/** The disk of one machine. It outlives its processes; names are durable at once, bytes when synced. */
export class SimDisk implements Files {
  readonly #dice: Dice;
  readonly #machine: Machine;
  readonly #files = new Map<string, SimFile>();
  readonly #directories = new Set<string>();
  readonly #open = new Map<Descriptor, Open>();
  #lastDescriptor = 2;
  /** No file can grow. */
  isFull = false;

  constructor(machine: Machine, dice: Dice) {
    this.#machine = machine;
    this.#dice = dice;
  }

  open(path: string, mode: OpenMode): Descriptor {
    const known = this.#files.get(path);
    if (known === undefined && mode === 'read') throw fault('ENOENT', path);
    if (known === undefined && this.isFull) throw fault('ENOSPC', path);
    const file = known ?? new SimFile();
    this.#files.set(path, file);
    this.#lastDescriptor += 1;
    this.#open.set(this.#lastDescriptor, { file, mode, at: 0 });
    return this.#lastDescriptor;
  }

  close(descriptor: Descriptor): void {
    this.#open.delete(descriptor);
  }

  write(descriptor: Descriptor, pieces: readonly Uint8Array[], position: number | null): number {
    const open = this.#of(descriptor);
    const start = position ?? (open.mode === 'append' ? open.file.length : open.at);
    const bytes = Buffer.concat(pieces as Uint8Array[]);
    const fits = this.#fitting(open.file, start, bytes.length);
    if (fits === 0 && bytes.length > 0) throw fault('ENOSPC', 'write');
    open.file.write(bytes.subarray(0, fits), start);
    open.at = start + fits;
    return fits;
  }

  sync(descriptor: Descriptor): Promise<void> {
    const { file } = this.#of(descriptor);
    return new Promise((resolve) => {
      this.#machine.timers.setTimeout(
        () => {
          file.sync();
          resolve();
        },
        this.#dice.between(1, 10),
      );
    });
  }

  syncNow(descriptor: Descriptor): void {
    this.#of(descriptor).file.sync();
  }

  truncate(descriptor: Descriptor, length: number): void {
    this.#of(descriptor).file.truncate(length);
  }

  preallocate(descriptor: Descriptor, length: number): void {
    const { file } = this.#of(descriptor);
    if (length <= file.length) return;
    if (this.isFull) throw fault('ENOSPC', 'preallocate');
    file.write(new Uint8Array(length - file.length), file.length);
  }

  read(path: string): Uint8Array {
    const file = this.#files.get(path);
    if (file === undefined) throw fault('ENOENT', path);
    return new Uint8Array(file.content());
  }

  async readLater(path: string): Promise<Uint8Array> {
    return this.read(path);
  }

  writeFile(path: string, content: string): void {
    if (this.isFull) throw fault('ENOSPC', path);
    const file = new SimFile();
    file.write(Buffer.from(content), 0);
    file.sync();
    this.#files.set(path, file);
  }

  rename(from: string, to: string): void {
    for (const [path, file] of [...this.#files]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.#files.delete(path);
      this.#files.set(to + path.slice(from.length), file);
    }
    if (this.#directories.delete(from)) this.#directories.add(to);
  }

  removeFile(path: string): void {
    if (!this.#files.delete(path)) throw fault('ENOENT', path);
  }

  async removeTree(path: string): Promise<void> {
    for (const name of this.#files.keys()) {
      if (name === path || name.startsWith(`${path}/`)) this.#files.delete(name);
    }
    for (const name of this.#directories) {
      if (name === path || name.startsWith(`${path}/`)) this.#directories.delete(name);
    }
  }

  makeDirectory(path: string): void {
    const parts = path.split('/');
    for (let end = 1; end <= parts.length; end += 1) {
      this.#directories.add(parts.slice(0, end).join('/'));
    }
  }

  list(path: string) {
    if (!this.#directories.has(path)) throw fault('ENOENT', path);
    const found = new Map<string, boolean>();
    const note = (full: string, isDirectory: boolean): void => {
      if (!full.startsWith(`${path}/`)) return;
      const [name = '', ...rest] = full.slice(path.length + 1).split('/');
      found.set(name, isDirectory || rest.length > 0);
    };
    for (const name of this.#directories) note(name, true);
    for (const name of this.#files.keys()) note(name, false);
    return [...found].map(([name, isDirectory]) => ({ name, isDirectory }));
  }

  /** What the process had open is closed; its bytes are the operating system's. */
  processGone(): void {
    this.#open.clear();
  }

  losePower(): void {
    this.processGone();
    for (const file of this.#files.values()) file.losePower(this.#dice);
  }

  /** The names of the files of journals that hold something. */
  #segments(): string[] {
    return [...this.#files].flatMap(([path, { length }]) =>
      path.endsWith('.segment') && length > 0 ? [path] : [],
    );
  }

  /** One wrong bit in one journal file; null: there is none. */
  flipBit(): string | null {
    const paths = this.#segments();
    if (paths.length === 0) return null;
    const path = this.#dice.pick(paths);
    const file = this.#files.get(path);
    if (file === undefined) return null;
    const at = this.#dice.int(file.length);
    file.flip(at, this.#dice.int(8));
    return `${path}@${at}`;
  }

  loseFile(): string | null {
    const paths = this.#segments();
    if (paths.length === 0) return null;
    const path = this.#dice.pick(paths);
    this.#files.delete(path);
    return path;
  }

  #fitting(file: SimFile, start: number, length: number): number {
    if (!this.isFull) return length;
    return Math.max(0, Math.min(length, file.length - start));
  }

  #of(descriptor: Descriptor): Open {
    const open = this.#open.get(descriptor);
    if (open === undefined) throw fault('EBADF', String(descriptor));
    return open;
  }
}
