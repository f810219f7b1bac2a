import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes that fit a unix socket address on every system (`sun_path`), its final zero left out. */
const maxSocketPathBytes = 103;

/** A directory of mode 0700 for the sockets of one engine. */
export type SocketDirectory = Readonly<{
  path: string;
  /** Takes away what was made below the temporary directory. */
  remove: () => Promise<void>;
}>;

/**
 * `wanted`, or, where a socket named `socketName` in it would have too long an address, a fresh
 * directory below the temporary one. Fresh, because a name that others can guess can be taken by
 * them beforehand.
 */
export const openSocketDirectory = async (
  wanted: string,
  socketName: string,
): Promise<SocketDirectory> => {
  if (Buffer.byteLength(join(wanted, socketName)) <= maxSocketPathBytes) {
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    await chmod(wanted, 0o700);
    return { path: wanted, remove: async () => undefined };
  }
  const path = await mkdtemp(join(tmpdir(), 'tollgate-'));
  await chmod(path, 0o700);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};
