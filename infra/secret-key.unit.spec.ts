import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from './config.ts';
import { givenSecretKey, loadSecretKey } from './secret-key.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tollgate-config-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const warnings: string[] = [];
const warn = (message: string): void => void warnings.push(message);
const none = { secretKey: null, secretKeyFile: null };
const key = 'k'.repeat(32);

const keyFile = (text: string, mode: number): string => {
  const path = join(dataDir, 'key');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};
const fromFile = (path: string) => givenSecretKey({ ...none, secretKeyFile: path }, warn);

test('the key is taken from the environment when it is set', () => {
  expect(loadSecretKey({ ...none, secretKey: key, dataDir }, warn)).toBe(key);
});

test('the key is made once, readable by the owner alone, and found again', () => {
  const folder = join(dataDir, 'new', 'data');
  const first = loadSecretKey({ ...none, dataDir: folder }, warn);
  expect(first.length).toBeGreaterThanOrEqual(32);
  expect(loadSecretKey({ ...none, dataDir: folder }, warn)).toBe(first);
  expect(statSync(join(folder, 'secret-key')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, 'secret-key'), 'utf8').trim()).toBe(first);
});

test('a damaged key file stops the start instead of being replaced', () => {
  writeFileSync(join(dataDir, 'secret-key'), '');
  expect(() => loadSecretKey({ ...none, dataDir }, warn)).toThrow(ConfigError);
});

test('a key outside the data folder is read from the file that is named', () => {
  expect(fromFile(keyFile(`${key}\n`, 0o600))).toBe(key);
  expect(fromFile(keyFile(key, 0o400))).toBe(key);
});

test('a key file that all users can read is refused, one of a group brings a warning', () => {
  expect(() => fromFile(keyFile(key, 0o604))).toThrow('SECRET_KEY_FILE must not be open to all');
  expect(() => fromFile(keyFile(key, 0o666))).toThrow('chmod 0600');
  warnings.length = 0;
  expect(fromFile(keyFile(key, 0o640))).toBe(key);
  expect(warnings.join()).toContain('SECRET_KEY_FILE is open to its group');
});

test('a file that is missing, empty or in addition to SECRET_KEY is refused in one line', () => {
  const problems = [
    () => fromFile(join(dataDir, 'nowhere')),
    () => fromFile(keyFile('short', 0o600)),
    () => givenSecretKey({ secretKey: key, secretKeyFile: keyFile(key, 0o600) }, warn),
  ].map((attempt) => {
    try {
      return String(attempt());
    } catch (error) {
      return error instanceof ConfigError ? error.message : 'another error';
    }
  });
  expect(problems[0]).toMatch(/^configuration: SECRET_KEY_FILE cannot be read: /);
  expect(problems[1]).toMatch(/^configuration: SECRET_KEY_FILE must hold at least 32 characters/);
  expect(problems[2]).toBe('configuration: only one of SECRET_KEY and SECRET_KEY_FILE may be set');
});
