import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const root = new URL('../../..', import.meta.url).pathname;

/** One state of the sources for all processes of a cluster and all their restarts. */
export type ClusterBuild = Readonly<{ folder: string; remove: () => void }>;

let count = 0;

/** A separate build: edits of the sources, and newer builds, do not reach a running cluster. */
export const buildCluster = async (): Promise<ClusterBuild> => {
  const module: string = join(root, 'infra', 'tooling', 'build-server.mjs');
  const { buildServer } = (await import(/* @vite-ignore */ module)) as {
    buildServer: () => Promise<string>;
  };
  const built = await buildServer();
  count += 1;
  const folder = join(root, '.cache', `cluster-${process.pid}-${count}`);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(built)) {
    cpSync(join(built, name), join(folder, name), { recursive: true });
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
