/* Installs the client packages into .cache/clients, when their list has changed. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';

const list = new URL('packages/package.json', import.meta.url).pathname;
const folder = new URL('../../.cache/clients/', import.meta.url).pathname;
const stamp = `${folder}.installed-from`;

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== readFileSync(list, 'utf8')) {
  mkdirSync(folder, { recursive: true });
  copyFileSync(list, `${folder}package.json`);
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  copyFileSync(list, stamp);
}
