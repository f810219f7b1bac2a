import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from '../ports/logger.ts';

/** What the product itself keeps there. PostgreSQL minds its own folder; other files are not ours. */
const own = ['journal', 'event-store', 'run.json', 'secret-key'];

const folderMode = 0o700;
const fileMode = 0o600;

type Found = Readonly<{ path: string; mode: number; uid: number; isFolder: boolean }>;

/** null: not there, or a link, whose target is not for us to change. */
const statOf = (path: string): Found | null => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink()) return null;
  return { path, mode: found.mode & 0o777, uid: found.uid, isFolder: found.isDirectory() };
};

/** Everything at and below a path, folders before what they hold. */
const everythingAt = (path: string): Found[] => {
  const found = statOf(path);
  if (found === null) return [];
  const below = found.isFolder ? readdirSync(path).map((name) => join(path, name)) : [];
  return [found, ...below.flatMap(everythingAt)];
};

/** Takes away what the group and others may do with something of ours. */
const tighten = (found: Found, logger: Logger): void => {
  const wanted = found.isFolder ? folderMode : fileMode;
  if ((found.mode & 0o077) === 0) return;
  if (found.uid !== process.getuid?.()) {
    logger.warn({ path: found.path }, 'another user owns this; other users may be able to read it');
    return;
  }
  chmodSync(found.path, found.mode & wanted);
};

/**
 * The folder of `DATA_DIR`, made when it is missing. Journals name users and their addresses, so
 * nothing in it is for other users of the machine; what an earlier version left open is closed.
 */
export const openDataFolder = (dataDir: string, logger: Logger): string => {
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true, mode: folderMode });
  const root = statOf(folder);
  if (root !== null) tighten(root, logger);
  for (const name of own) {
    for (const found of everythingAt(join(folder, name))) tighten(found, logger);
  }
  return folder;
};
