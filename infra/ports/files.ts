export type Descriptor = number;
/** `create`: a new, empty file, or the one that is there; `append`: every write goes to its end. */
export type OpenMode = 'read' | 'create' | 'append';
type DirectoryEntry = Readonly<{ name: string; isDirectory: boolean }>;

/**
 * The file operations of the journal. Those of the hot path are synchronous; the ones that wait for
 * the disk have a form that does not block. All throw the error of the operating system (`code`).
 */
export interface Files {
  open(path: string, mode: OpenMode): Descriptor;
  close(descriptor: Descriptor): void;
  /**
   * Bytes that were written, which may be fewer than given. `position`: from the start of the file;
   * null: at its end (`append`), or after the last write.
   */
  write(descriptor: Descriptor, pieces: readonly Uint8Array[], position: number | null): number;
  /** Resolves when what was written survives a loss of power. */
  sync(descriptor: Descriptor): Promise<void>;
  syncNow(descriptor: Descriptor): void;
  truncate(descriptor: Descriptor, length: number): void;
  /** Makes the file at least so long, its space taken, the new part zeros. */
  preallocate(descriptor: Descriptor, length: number): void;
  read(path: string): Uint8Array;
  readLater(path: string): Promise<Uint8Array>;
  /** Replaces the whole content. */
  writeFile(path: string, content: string): void;
  rename(from: string, to: string): void;
  removeFile(path: string): void;
  /** Files and directories below it too; harmless when there is nothing. */
  removeTree(path: string): Promise<void>;
  /** With its parents; harmless when it is there. */
  makeDirectory(path: string): void;
  list(path: string): readonly DirectoryEntry[];
}
