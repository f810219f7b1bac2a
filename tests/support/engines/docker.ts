import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const answerMs = 10_000;

/** Whether a Docker engine could be there at all; without one nothing is loaded and nothing waits. */
const mayAnswer = (): boolean => {
  if (process.env.DOCKER_HOST !== undefined) return true;
  const runtime = process.env.XDG_RUNTIME_DIR;
  return [
    '/var/run/docker.sock',
    ...(runtime === undefined ? [] : [join(runtime, 'docker.sock')]),
    join(homedir(), '.docker', 'run', 'docker.sock'),
  ].some((path) => existsSync(path));
};

const connect = async () => (await import('testcontainers')).getContainerRuntimeClient();

export const dockerAnswers = async (): Promise<boolean> => {
  if (!mayAnswer()) return false;
  // Loading it takes seconds on a busy machine; the limit is for the engine alone.
  await import('testcontainers');
  const late = new AbortController();
  const answer = connect().then(
    () => true,
    () => false,
  );
  const timeout = sleep(answerMs, false, { signal: late.signal }).catch(() => false);
  const answers = await Promise.race([answer, timeout]);
  late.abort();
  return answers;
};

const isThere = async (image: string): Promise<boolean> => {
  const { ImageName } = await import('testcontainers');
  return (await connect()).image.exists(ImageName.fromString(image));
};

const defaultPullSeconds = 60;

/**
 * It is on this machine, or a registry provided it within `TEST_IMAGE_PULL_SECONDS` (0: never
 * pull).
 */
export const canHaveImage = async (image: string): Promise<boolean> => {
  if (await isThere(image)) return true;
  const seconds = Number(process.env.TEST_IMAGE_PULL_SECONDS ?? defaultPullSeconds);
  if (!(seconds > 0)) return false;
  return run('docker', ['pull', '--quiet', image], { timeout: seconds * 1_000 }).then(
    () => true,
    () => false,
  );
};
