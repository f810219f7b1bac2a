import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { ConfigError } from './config.ts';

/** A text and the rights to the file that it was read from. */
const readFileOf = (name: string, path: string): Readonly<{ text: string; mode: number }> => {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    return { text: readFileSync(file, 'utf8').trim(), mode: fstatSync(file).mode };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`${name} cannot be read: ${reason}`]);
  } finally {
    if (file !== null) closeSync(file);
  }
};

/**
 * A secret from the file that the variable `name` names. What every user of the machine can read is
 * refused; what a group can read, as orchestrators mount secrets, is worth a warning.
 * @throws ConfigError
 */
export const readGuardedFile = (
  name: string,
  path: string,
  warn: (message: string) => void,
): string => {
  const { text, mode } = readFileOf(name, path);
  if ((mode & 0o007) !== 0) {
    throw new ConfigError([`${name} must not be open to all users: chmod 0600 ${path}`]);
  }
  if ((mode & 0o070) !== 0) warn(`${name} is open to its group: ${path}`);
  if (text === '') throw new ConfigError([`${name} is empty: ${path}`]);
  return text;
};
