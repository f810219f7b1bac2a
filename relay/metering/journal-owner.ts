import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ownerFile = 'owner.json';

type Owner = Readonly<{ pid: number; startedAt: string }>;

/**
 * What tells one process from a later one of the same number: its start in clock ticks and the boot
 * of the machine. Empty where the system does not say, and then the number alone decides.
 */
const startOf = (pid: number): string => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in brackets and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${boot}/${fields[19] ?? ''}`;
  } catch {
    return '';
  }
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

const isAlive = ({ pid, startedAt }: Owner): boolean =>
  isRunning(pid) && startOf(pid) === startedAt;

const readOwner = (directory: string): Owner | null => {
  try {
    const owner = JSON.parse(readFileSync(join(directory, ownerFile), 'utf8')) as Partial<Owner>;
    const { pid, startedAt } = owner;
    return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : null;
  } catch {
    return null;
  }
};

/** Makes the directory of a new life, which says whose it is from the moment it can be seen. */
export const claimDirectory = (root: string, relayId: string): string => {
  const directory = join(root, relayId);
  const hidden = join(root, `.${relayId}`);
  mkdirSync(hidden, { recursive: true, mode: 0o700 });
  const owner: Owner = { pid: process.pid, startedAt: startOf(process.pid) };
  writeFileSync(join(hidden, ownerFile), JSON.stringify(owner), { mode: 0o600 });
  renameSync(hidden, directory);
  return directory;
};

export type DeadLife = Readonly<{ relayId: string; directory: string }>;

/**
 * Lives whose process is gone. One that lives keeps its journal to itself. Processes are told by
 * their numbers, so relays of different machines or containers must not share a directory.
 */
export const deadLives = (root: string, ownRelayId: string): DeadLife[] => {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .filter(({ name }) => name !== ownRelayId)
    .map(({ name }) => ({ relayId: name, directory: join(root, name) }))
    .filter(({ directory }) => {
      const owner = readOwner(directory);
      return owner === null || !isAlive(owner);
    });
};
