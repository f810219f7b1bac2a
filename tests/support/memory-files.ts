import type { Descriptor, Files, OpenMode } from '../../infra/ports/files.ts';

const fault = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code });

type Open = Readonly<{ path: string; mode: OpenMode }>;

/** A disk in memory that fills up and refuses when a test configures it. */
export class MemoryFiles implements Files {
  readonly contents = new Map<string, Buffer>();
  readonly #directories = new Set<string>();
  readonly #open = new Map<Descriptor, Open>();
  #last = 2;
  /** No file can grow. */
  isFull = false;
  /** No write succeeds. */
  isBroken = false;
  /** What was written does not reach the disk. */
  failsToSync = false;
  syncs = 0;
  /** What would be left of each file that was written since it was synced. */
  readonly #durable = new Map<string, Buffer>();

  open(path: string, mode: OpenMode): Descriptor {
    if (!this.contents.has(path)) {
      if (this.isFull || this.isBroken) throw fault('ENOSPC', path);
      this.contents.set(path, Buffer.alloc(0));
    }
    this.#last += 1;
    this.#open.set(this.#last, { path, mode });
    return this.#last;
  }

  close(descriptor: Descriptor): void {
    this.#open.delete(descriptor);
  }

  write(descriptor: Descriptor, pieces: readonly Uint8Array[], position: number | null): number {
    const path = this.#pathOf(descriptor);
    if (this.isBroken) throw fault('EIO', path);
    const before = this.contents.get(path) ?? Buffer.alloc(0);
    const bytes = Buffer.concat(pieces as Uint8Array[]);
    const start = position ?? before.length;
    const fits = this.isFull ? Math.min(bytes.length, before.length - start) : bytes.length;
    if (fits <= 0) throw fault('ENOSPC', path);
    const isLonger = start + fits > before.length;
    const after = isLonger ? Buffer.alloc(start + fits) : before;
    if (isLonger) before.copy(after);
    if (!this.#durable.has(path)) this.#durable.set(path, Buffer.from(before));
    bytes.copy(after, start, 0, fits);
    this.contents.set(path, after);
    return fits;
  }

  async sync(descriptor: Descriptor): Promise<void> {
    this.syncNow(descriptor);
  }

  syncNow(descriptor: Descriptor): void {
    const path = this.#pathOf(descriptor);
    if (this.failsToSync) throw fault('EIO', path);
    this.syncs += 1;
    this.#durable.delete(path);
  }

  truncate(descriptor: Descriptor, length: number): void {
    const path = this.#pathOf(descriptor);
    this.contents.set(path, this.read(path).subarray(0, length));
  }

  preallocate(descriptor: Descriptor, length: number): void {
    const path = this.#pathOf(descriptor);
    const before = this.read(path);
    if (before.length >= length) return;
    if (this.isFull || this.isBroken) throw fault('ENOSPC', path);
    this.contents.set(path, Buffer.concat([before, Buffer.alloc(length - before.length)]));
  }

  read(path: string): Buffer {
    const content = this.contents.get(path);
    if (content === undefined) throw fault('ENOENT', path);
    return Buffer.from(content);
  }

  async readLater(path: string): Promise<Buffer> {
    return this.read(path);
  }

  writeFile(path: string, content: string): void {
    if (this.isFull || this.isBroken) throw fault('ENOSPC', path);
    this.contents.set(path, Buffer.from(content));
  }

  rename(from: string, to: string): void {
    for (const [path, content] of [...this.contents]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.contents.delete(path);
      this.contents.set(to + path.slice(from.length), content);
    }
    if (this.#directories.delete(from)) this.#directories.add(to);
  }

  removeFile(path: string): void {
    if (!this.contents.delete(path)) throw fault('ENOENT', path);
  }

  async removeTree(path: string): Promise<void> {
    for (const name of [...this.contents.keys()]) {
      if (name.startsWith(`${path}/`)) this.contents.delete(name);
    }
    this.#directories.delete(path);
  }

  makeDirectory(path: string): void {
    this.#directories.add(path);
  }

  list(path: string) {
    const names = new Map<string, boolean>();
    for (const name of [...this.#directories, ...this.contents.keys()]) {
      if (!name.startsWith(`${path}/`)) continue;
      const [first = '', ...rest] = name.slice(path.length + 1).split('/');
      names.set(first, rest.length > 0 || this.#directories.has(name));
    }
    return [...names].map(([name, isDirectory]) => ({ name, isDirectory }));
  }

  /** Nothing is left of what was written and not synced. */
  losePower(): void {
    for (const [path, content] of this.#durable) {
      if (this.contents.has(path)) this.contents.set(path, content);
    }
    this.#durable.clear();
    this.#open.clear();
  }

  /** Files below a directory that hold journal records. */
  segments(directory: string): string[] {
    return [...this.contents.keys()].filter(
      (path) => path.startsWith(`${directory}/`) && path.endsWith('.segment'),
    );
  }

  #pathOf(descriptor: Descriptor): string {
    const open = this.#open.get(descriptor);
    if (open === undefined) throw fault('EBADF', String(descriptor));
    return open.path;
  }
}
