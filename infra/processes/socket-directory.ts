import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openSocketDirectory } from '../embedded/socket-directory.ts';

/** Where a control process listens: for the edge, and for the collector of metrics. */
export type ControlSockets = Readonly<{ web: string; metrics: string }>;

export const socketsOf = (directory: string, pid: number): ControlSockets => ({
  web: join(directory, `control-${pid}.sock`),
  metrics: join(directory, `control-metrics-${pid}.sock`),
});

const isSocket = (name: string): boolean => /^control(-metrics)?-\d+\.sock$/.test(name);

const removeSockets = async (directory: string): Promise<void> => {
  const names = (await readdir(directory)).filter(isSocket);
  await Promise.all(names.map((name) => rm(join(directory, name), { force: true })));
};

/** Closed to other users: a client of a socket in it is taken for the edge. */
export const openControlDirectory = async (
  dataDir: string,
): Promise<Readonly<{ path: string; remove: () => Promise<void> }>> => {
  const longest = 'control-metrics-4194304.sock';
  const directory = await openSocketDirectory(join(dataDir, 'run'), longest);
  // Left by an instance that was killed.
  await removeSockets(directory.path);
  return {
    path: directory.path,
    remove: async () => {
      await removeSockets(directory.path);
      await directory.remove();
    },
  };
};
