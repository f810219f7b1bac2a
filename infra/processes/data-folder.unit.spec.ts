import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { openDataFolder } from './data-folder.ts';

let folder: string;
const modeOf = (...parts: string[]): number => lstatSync(join(folder, ...parts)).mode & 0o777;
const before = process.umask(0);

beforeEach(() => {
  process.umask(0);
  folder = join(mkdtempSync(join(tmpdir(), 'tollgate-test-')), 'data');
});
afterEach(() => {
  process.umask(before);
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

test('a new data folder is open to its owner alone, whatever the umask', () => {
  openDataFolder(folder, silentLogger);
  expect(modeOf()).toBe(0o700);
});

test('what an earlier version left open to others is closed at the start', () => {
  mkdirSync(join(folder, 'journal', 'relay-1'), { recursive: true });
  writeFileSync(join(folder, 'journal', 'relay-1', '1.log'), '');
  writeFileSync(join(folder, 'run.json'), '{}');
  writeFileSync(join(folder, 'secret-key'), 'k');
  chmodSync(join(folder, 'secret-key'), 0o640);
  openDataFolder(folder, silentLogger);
  expect(modeOf()).toBe(0o700);
  expect(modeOf('journal')).toBe(0o700);
  expect(modeOf('journal', 'relay-1')).toBe(0o700);
  expect(modeOf('journal', 'relay-1', '1.log')).toBe(0o600);
  expect(modeOf('run.json')).toBe(0o600);
  expect(modeOf('secret-key')).toBe(0o600);
});

test('files that are not of the product, and targets of links, stay as they are', () => {
  mkdirSync(join(folder, 'photos'), { recursive: true });
  writeFileSync(join(folder, 'photos', 'cat.png'), '');
  symlinkSync(join(folder, 'photos'), join(folder, 'journal'));
  openDataFolder(folder, silentLogger);
  expect(modeOf('photos')).toBe(0o777);
  expect(modeOf('photos', 'cat.png')).toBe(0o666);
});
