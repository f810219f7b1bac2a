import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const maxOutputBytes = 64 * 1024 * 1024;

/** Calls and the provider continue meanwhile: they run in the same process. */
export const execute = promisify(execFile);

export const docker = async (...args: readonly string[]): Promise<string> =>
  (await execute('docker', [...args], { maxBuffer: maxOutputBytes })).stdout.trim();

/** @throws with what this machine lacks */
export const requireDocker = (): void => {
  const { status, error, stderr } = spawnSync('docker', ['info'], { encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(
    'npm run test:cluster needs a Docker engine that answers `docker info` for this user, ' +
      `and Docker Compose: ${error?.message ?? stderr.trim()}`,
  );
};

/** `docker compose`, or its predecessor. */
export const composeProgram = (): readonly [string, ...string[]] => {
  if (spawnSync('docker', ['compose', 'version']).status === 0) return ['docker', 'compose'];
  if (spawnSync('docker-compose', ['version']).status === 0) return ['docker-compose'];
  throw new Error('npm run test:cluster needs Docker Compose: `docker compose version` failed');
};

/** The last lines that a container wrote. */
export const logOf = async (container: string): Promise<string> => {
  const { stdout, stderr } = await execute('docker', ['logs', '--tail=15', container]);
  return `${stdout}${stderr}`;
};

/** Of a container in one of its networks. */
export const networkField = (
  container: string,
  network: string,
  field: 'IPAddress' | 'Gateway',
): Promise<string> => {
  const format = `{{(index .NetworkSettings.Networks "${network}").${field}}}`;
  return docker('inspect', '--format', format, container);
};
