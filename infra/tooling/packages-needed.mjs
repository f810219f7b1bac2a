/* Which installed packages the build of the servers needs, with what those need in turn. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';

const builtin = new Set(builtinModules);

/** `@scope/name/part` → `@scope/name`; null for a path, or a module of Node. */
export const packageOf = (specifier) => {
  if (/^(\.|\/|node:)/.test(specifier) || builtin.has(specifier)) return null;
  const [first, second] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
};

const importPattern = /(?:\bfrom|\bimport|\bimport\(|\brequire\d*\(|\bresolve\()\s*"([^"\n]+)"/g;

/** Packages that the modules of a build name: bundled code keeps its imports of packages. */
export const packagesNamedBelow = (folder) => {
  const names = new Set();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const text = readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8');
    for (const [, specifier] of text.matchAll(importPattern)) {
      const name = packageOf(specifier);
      if (name !== null) names.add(name);
    }
  }
  return [...names].sort();
};

/** Where Node finds a package from a folder; null where it is not installed. */
const find = (root, name, from) => {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return path;
    if (folder === root || folder === dirname(folder)) return null;
  }
};

const neededBy = ({ dependencies = {}, optionalDependencies = {}, peerDependencies = {} }) => [
  ...Object.keys(dependencies).map((name) => ({ name, isOptional: name in optionalDependencies })),
  ...[optionalDependencies, peerDependencies].flatMap((list) =>
    Object.keys(list).map((name) => ({ name, isOptional: true })),
  ),
];

/**
 * Folders of the packages, relative to `root`: the named ones, and all that they depend on.
 * @throws when one is missing that may not be
 */
export const packageFolders = (root, names) => {
  const found = new Set();
  const wanted = names.map((name) => ({ name, from: root, isOptional: false }));
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    const path = find(root, next.name, next.from);
    if (path === null) {
      if (next.isOptional) continue;
      throw new Error(
        `${next.name} is not installed, and ${relative(root, next.from) || 'the build'} needs it`,
      );
    }
    if (found.has(path)) continue;
    found.add(path);
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    wanted.push(...neededBy(manifest).map((need) => ({ ...need, from: path })));
  }
  return [...found].map((path) => relative(root, path)).sort();
};
