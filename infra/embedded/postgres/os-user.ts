import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The user that runs PostgreSQL: ourselves, or (for root, which PostgreSQL refuses) a separate one.
 */
export type OtherUser = Readonly<{ kind: 'other'; uid: number; gid: number }>;
export type OsUser = Readonly<{ kind: 'self' }> | OtherUser;

const idOf = async (flag: '-u' | '-g'): Promise<number> =>
  Number.parseInt((await run('id', [flag, 'postgres'])).stdout, 10);

const postgresUser = async (): Promise<OsUser> => ({
  kind: 'other',
  uid: await idOf('-u'),
  gid: await idOf('-g'),
});

/** @throws when we are root and no `postgres` user can be had */
export const findOsUser = async (): Promise<OsUser> => {
  if (process.getuid?.() !== 0) return { kind: 'self' };
  try {
    return await postgresUser();
  } catch {
    // Not there yet: made below.
  }
  try {
    await run('groupadd', ['--system', 'postgres']).catch(() => undefined);
    await run('useradd', ['--system', '-g', 'postgres', 'postgres']);
    return await postgresUser();
  } catch (error) {
    throw new Error(
      'PostgreSQL does not run as root, and the user "postgres" could not be created ' +
        `(${String(error)}). Run Tollgate as an ordinary user, or create that user.`,
    );
  }
};

/** What `spawn` needs to run a program as `user`. */
export const spawnAs = (user: OsUser): { uid?: number; gid?: number } =>
  user.kind === 'other' ? { uid: user.uid, gid: user.gid } : {};
