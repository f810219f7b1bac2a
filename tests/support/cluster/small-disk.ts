import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/** A separate file system in a folder, which a test may fill up. */
export type SmallDisk = Readonly<{
  fill: () => Promise<void>;
  free: () => void;
  remove: () => void;
}>;

const block = Buffer.alloc(1024 * 1024);
/** What a file system gives away at once. */
const pageBytes = 4_096;

/** True when all of it found room. */
const hasWritten = (file: FileHandle, length: number): Promise<boolean> =>
  file.write(block, 0, length).then(
    ({ bytesWritten }) => bytesWritten === length,
    () => false,
  );

/** In ever smaller pieces, until not one page fits. */
const fillUp = async (path: string): Promise<void> => {
  const file = await open(path, 'w');
  let length = block.length;
  while (length >= pageBytes) if (!(await hasWritten(file, length))) length /= 2;
  await file.close();
};

/** null where this user may not mount one. */
export const mountSmallDisk = (folder: string, megabytes: number): SmallDisk | null => {
  mkdirSync(folder, { recursive: true });
  const mount = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder];
  if (spawnSync('mount', mount).status !== 0) return null;
  const ballast = join(folder, 'ballast');
  return {
    fill: () => fillUp(ballast),
    free: () => rmSync(ballast, { force: true }),
    remove: () => void spawnSync('umount', ['-l', folder]),
  };
};
