import { createHash } from 'node:crypto';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '../../ports/logger.ts';
import { isReachableByOthers } from './binaries.ts';
import type { OsUser } from './os-user.ts';

/** For root whose data directory lies below one that is closed to others, such as `/root`. */
const sharedHome = '/var/lib/tollgate';

/** Lets others walk through a directory that is ours, without letting them list it. */
const openToPassers = async (path: string): Promise<void> => {
  const { mode, uid } = await stat(path);
  if (uid === process.getuid?.() && (mode & 0o001) === 0) await chmod(path, (mode & 0o777) | 0o001);
};

/**
 * Where the engine keeps its files: `wanted`, wherever its user can walk to it. As root the engine
 * runs as another user; below a closed directory its files go to a place named by a hash of
 * `wanted`, and a note in `wanted` says where.
 */
export const homeFor = async (wanted: string, user: OsUser, logger: Logger): Promise<string> => {
  await mkdir(wanted, { recursive: true });
  if (user.kind === 'self') {
    await chmod(wanted, 0o700);
    return wanted;
  }
  await chmod(wanted, 0o711);
  await openToPassers(dirname(wanted));
  if (await isReachableByOthers(wanted)) return wanted;
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 16);
  const home = join(sharedHome, hash);
  await mkdir(home, { recursive: true, mode: 0o711 });
  await chmod(home, 0o711);
  await writeFile(join(wanted, 'MOVED.txt'), `PostgreSQL keeps its files in ${home}\n`);
  logger.warn({ home }, 'a directory above DATA_DIR is closed to PostgreSQL; its files are here');
  return home;
};
