import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive, processStat, statFields } from '../../system/process-stat.ts';

/** Start time of a process, so that a reused process id is not taken for the old process. */
const startTime = (pid: number): string => processStat(pid)[statFields.start] ?? '';

/**
 * Claims a data directory for this process; answers the release. A second start on the same
 * directory would otherwise adopt the engine and stop it under the first one's feet.
 * @throws when another living process holds it
 */
export const claimDirectory = async (directory: string): Promise<() => Promise<void>> => {
  const file = join(directory, 'owner');
  const [pidText = '', started = ''] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
  const pid = Number.parseInt(pidText, 10);
  const isHeld =
    Number.isInteger(pid) &&
    pid !== process.pid &&
    isProcessAlive(pid) &&
    startTime(pid) === started;
  if (isHeld) throw new Error(`The data directory ${directory} is in use by process ${pid}.`);
  const mine = `${process.pid} ${startTime(process.pid)}`;
  await writeFile(file, mine, { mode: 0o600 });
  await chmod(file, 0o600);
  return async () => {
    if ((await readFile(file, 'utf8').catch(() => '')) === mine) await rm(file, { force: true });
  };
};
