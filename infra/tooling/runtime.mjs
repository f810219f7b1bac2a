/*
 * The Node that the product runs on. npm puts `node_modules/.bin` in front of the path, and the optional
 * packages that hold Node's executable link it there as `node`: every script of package.json then runs on
 * the pinned version. An installed Node that is new enough is used as it is: the link is removed.
 */
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;
const link = join(root, 'node_modules', '.bin', 'node');
const minimum = 26;

const majorOf = (version) => Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0);

/** Ends the process where it runs on a Node that is too old, with what to do. */
export const requireRuntime = () => {
  if (majorOf(process.versions.node) >= minimum) return;
  console.error(
    `Tollgate runs on Node ${minimum} or newer; this is ${process.versions.node}. ` +
      'Start it with npm (`npm start`), which uses the pinned Node of package-lock.json, or install a newer Node.',
  );
  process.exit(1);
};

/** The version of the Node that runs npm: `npm/11.6.0 node/v20.19.0 linux x64`. */
const installedVersion = () =>
  /\bnode\/(v[\d.]+)/.exec(process.env.npm_config_user_agent ?? '')?.[1] ?? process.versions.node;

/** The package of this platform that holds Node's executable; null where none was installed. */
const pinnedPackage = () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const suffix = `-${process.platform}-${process.arch}`;
  const name = Object.keys(optionalDependencies).find((candidate) => candidate.endsWith(suffix));
  return name !== undefined && existsSync(join(root, 'node_modules', name, 'bin', 'node'))
    ? name
    : null;
};

const isLinked = () => lstatSync(link, { throwIfNoEntry: false }) !== undefined;

/** A shell that has `node_modules/.bin` in front of its path runs npm on the pinned Node. */
const isPinned = () =>
  (process.env.npm_node_execpath ?? process.execPath).startsWith(join(root, 'node_modules'));

/** Decides which Node the scripts of package.json find. Ends the process where none is new enough. */
export const linkRuntime = () => {
  if (isPinned()) return;
  if (majorOf(installedVersion()) >= minimum) {
    rmSync(link, { force: true });
    return;
  }
  const name = pinnedPackage();
  if (name === null) requireRuntime();
  else if (!isLinked()) symlinkSync(join('..', name, 'bin', 'node'), link);
};
