import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError, minSecretLength } from './config.ts';
import { readGuardedFile } from './guarded-file.ts';

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
};

const writeDurably = (path: string, text: string): void => {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** The key appears whole or not at all, and of several processes that start at once one wins. */
const createKeyFile = (path: string): void => {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`;
  writeDurably(draft, `${randomBytes(48).toString('base64url')}\n`);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
};

const isLongEnough = (key: string): boolean => key.length >= minSecretLength;

/**
 * A key from a file.
 * @throws ConfigError
 */
export const readSecretFile = (
  name: string,
  path: string,
  warn: (message: string) => void,
): string => {
  const text = readGuardedFile(name, path, warn);
  if (!isLongEnough(text)) {
    throw new ConfigError([`${name} must hold at least ${minSecretLength} characters: ${path}`]);
  }
  return text;
};

type Source = Pick<Config, 'secretKey' | 'secretKeyFile'>;
type Warn = (message: string) => void;

/**
 * `SECRET_KEY`, or what `SECRET_KEY_FILE` names; null when neither is set.
 * @throws ConfigError
 */
export const givenSecretKey = (config: Source, warn: Warn): string | null => {
  const { secretKey, secretKeyFile } = config;
  if (secretKey !== null && secretKeyFile !== null) {
    throw new ConfigError(['only one of SECRET_KEY and SECRET_KEY_FILE may be set']);
  }
  if (secretKeyFile !== null) return readSecretFile('SECRET_KEY_FILE', secretKeyFile, warn);
  return secretKey;
};

type Kept = Source & Pick<Config, 'dataDir'>;

const keptPath = ({ dataDir }: Kept): string => join(dataDir, 'secret-key');

/**
 * The key that is given, or the one kept in `DATA_DIR/secret-key`; null when there is neither.
 * @throws ConfigError when a file holds something else
 */
export const findSecretKey = (config: Kept, warn: Warn): string | null => {
  const path = keptPath(config);
  const key = givenSecretKey(config, warn) ?? readIfThere(path);
  if (key === null || isLongEnough(key)) return key;
  throw new ConfigError([`the file ${path} must hold at least ${minSecretLength} characters`]);
};

/**
 * The same, and on the first run a key is made and kept there (mode 0600).
 * @throws ConfigError when a file holds something else
 */
export const loadSecretKey = (config: Kept, warn: Warn): string => {
  const found = findSecretKey(config, warn);
  if (found !== null) return found;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  createKeyFile(keptPath(config));
  return loadSecretKey(config, warn);
};
