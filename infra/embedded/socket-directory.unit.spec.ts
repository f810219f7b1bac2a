import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSocketDirectory } from './socket-directory.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

test('a socket is placed at the requested path, in a directory closed to other users', async () => {
  mkdirSync(join(folder, 'near'), { mode: 0o777 });
  const near = await openSocketDirectory(join(folder, 'near'), 'engine.sock');
  expect(near.path).toBe(join(folder, 'near'));
  expect(modeOf(near.path)).toBe(0o700);
  await near.remove();
  expect(existsSync(near.path)).toBe(true);
});

test('a path too long for a socket is replaced by a new directory with an unguessable name', async () => {
  const wanted = join(folder, 'long-'.repeat(30));
  const [one, other] = await Promise.all([
    openSocketDirectory(wanted, 'engine.sock'),
    openSocketDirectory(wanted, 'engine.sock'),
  ]);
  expect(one.path).not.toBe(other.path);
  expect(modeOf(one.path)).toBe(0o700);
  const server = createServer().listen(join(one.path, 'engine.sock'));
  await once(server, 'listening');
  server.close();
  await one.remove();
  await other.remove();
  expect(existsSync(one.path)).toBe(false);
});
