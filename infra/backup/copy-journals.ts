import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BackupError } from './manifest.ts';

/** Where a running relay began or dropped files meanwhile, the copy is made again. */
const maxPasses = 50;
/** Names the process that writes a journal; in a copy there is none. */
const ownerFile = 'owner.json';

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

const orNone = <T>(error: unknown): readonly T[] => {
  if (isMissing(error)) return [];
  throw error;
};

/** Paths of all files of all relay instances; an instance is visible once it has its owner. */
const listFiles = async (journals: string): Promise<readonly string[]> => {
  const found = await readdir(journals, { withFileTypes: true }).catch(orNone<never>);
  const instances = found.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  const files = await Promise.all(
    instances.map(async ({ name }) => {
      const names = await readdir(join(journals, name)).catch(orNone<string>);
      return names.filter((file) => file !== ownerFile).map((file) => join(name, file));
    }),
  );
  return files.flat().sort();
};

/** Files get their space before they are written: what follows the last record are zeros. */
const endOfData = (bytes: Buffer): number => {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return end;
};

/**
 * The start of a file that may be written meanwhile. A read takes its pieces one after the other,
 * so that the first reading may have a hole before its end; records are only ever added at the end,
 * and so the second has everything before the end of the first.
 */
const readStart = async (path: string): Promise<Buffer> => {
  const end = endOfData(await readFile(path));
  return (await readFile(path)).subarray(0, end);
};

const copyFile = async (from: string, to: string): Promise<void> => {
  const bytes = await readStart(from);
  await mkdir(dirname(to), { recursive: true });
  const file = await open(to, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
};

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((path, place) => path === b[place]);

/**
 * Copies the journals of all relay instances of a data folder, which may run, and answers the paths of
 * the files below `to`. A journal names its next file, so the set has to be of one moment.
 * @throws BackupError when they change faster than they can be copied
 */
export const copyJournals = async (journals: string, to: string): Promise<readonly string[]> => {
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const before = await listFiles(journals);
    try {
      for (const path of before) await copyFile(join(journals, path), join(to, path));
      if (isSame(before, await listFiles(journals))) return before;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    await rm(to, { recursive: true, force: true });
  }
  throw new BackupError(`the journals in ${journals} change faster than they can be copied`);
};
