import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
  writevSync,
} from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Files, OpenMode } from '../ports/files.ts';

const flags: Readonly<Record<OpenMode, number | string>> = {
  read: 'r',
  create: constants.O_RDWR | constants.O_CREAT,
  append: 'a',
};
/** The content may contain prompts: readable by the user of the process alone. */
const ownFile = 0o600;
const ownDirectory = 0o700;
const zeros = Buffer.alloc(65_536);
const sync = promisify(fdatasync);

/** Node has no `fallocate`; a hole left by `ftruncate` would find the disk full when it is used. */
const preallocate: Files['preallocate'] = (descriptor, length) => {
  for (let end = fstatSync(descriptor).size; end < length; ) {
    end += writeSync(descriptor, zeros, 0, Math.min(zeros.length, length - end), end);
  }
};

export const nodeFiles: Files = {
  open: (path, mode) => openSync(path, flags[mode], ownFile),
  close: closeSync,
  write: (descriptor, pieces, position) => {
    const [first] = pieces;
    return pieces.length === 1 && first !== undefined
      ? writeSync(descriptor, first, 0, first.length, position)
      : writevSync(descriptor, pieces as Uint8Array[], position ?? undefined);
  },
  sync,
  syncNow: fdatasyncSync,
  truncate: ftruncateSync,
  preallocate,
  read: (path) => readFileSync(path),
  readLater: (path) => readFile(path),
  writeFile: (path, content) => writeFileSync(path, content, { mode: ownFile }),
  rename: renameSync,
  removeFile: unlinkSync,
  removeTree: (path) => rm(path, { recursive: true, force: true }),
  makeDirectory: (path) => void mkdirSync(path, { recursive: true, mode: ownDirectory }),
  list: (path) =>
    readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isDirectory: entry.isDirectory(),
    })),
};
