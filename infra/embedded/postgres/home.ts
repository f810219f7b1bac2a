import { hash } from 'node:crypto';
import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '../../ports/logger.ts';
import { canWalkThrough, isReachableBy } from './binaries.ts';
import type { OsUser, OtherUser } from './os-user.ts';

/** For root whose data directory lies below one that is closed to others, such as `/root`. */
const sharedHome = '/var/lib/tollgate';

/** Lets the engine's user walk through a directory of ours that is closed to it, and no other user. */
const openTo = async (user: OtherUser, path: string): Promise<void> => {
  const found = await stat(path);
  if (found.uid !== process.getuid?.() || canWalkThrough(user, found)) return;
  await chown(path, -1, user.gid);
  await chmod(path, 0o710);
};

/**
 * Where the engine keeps its files: `wanted`, wherever its user can reach it. As root the engine
 * runs as another user; below a closed directory its files are kept at a place named by a hash of
 * `wanted`, and a note in `wanted` names it.
 */
export const homeFor = async (wanted: string, user: OsUser, logger: Logger): Promise<string> => {
  await mkdir(wanted, { recursive: true, mode: 0o700 });
  if (user.kind === 'self') {
    await chmod(wanted, 0o700);
    return wanted;
  }
  await chmod(wanted, 0o700);
  await openTo(user, wanted);
  await openTo(user, dirname(wanted));
  if (await isReachableBy(user, wanted)) return wanted;
  const digest = hash('sha256', wanted, 'hex').slice(0, 16);
  const home = join(sharedHome, digest);
  await mkdir(sharedHome, { recursive: true, mode: 0o711 });
  // Whatever the umask: another user walks through it.
  await chmod(sharedHome, 0o711);
  await mkdir(home, { recursive: true, mode: 0o700 });
  await openTo(user, home);
  await writeFile(join(wanted, 'MOVED.txt'), `PostgreSQL keeps its files in ${home}\n`, {
    mode: 0o600,
  });
  logger.warn({ home }, 'a directory above DATA_DIR is closed to PostgreSQL; its files are here');
  return home;
};
