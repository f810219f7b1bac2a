import { join } from 'node:path';
import type { Files } from '../../infra/ports/files.ts';
import type { ProcessMark, ProcessTable } from '../../infra/ports/process-table.ts';
import { noneSettled } from './journal-file.ts';

const ownerFile = 'owner.json';

export type JournalHome = Readonly<{ root: string; files: Files; processTable: ProcessTable }>;

const readOwner = (files: Files, directory: string): ProcessMark | null => {
  try {
    const text = Buffer.from(files.read(join(directory, ownerFile))).toString('utf8');
    const { pid, startedAt } = JSON.parse(text) as Partial<ProcessMark>;
    return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : null;
  } catch {
    return null;
  }
};

/** Makes the directory of an instance; it names its owner from the moment it is visible. */
export const claimDirectory = (
  { root, files, processTable }: JournalHome,
  relayId: string,
): string => {
  const directory = join(root, relayId);
  const hidden = join(root, `.${relayId}`);
  files.makeDirectory(hidden);
  files.writeFile(join(hidden, ownerFile), JSON.stringify(processTable.own()));
  files.writeFile(join(hidden, noneSettled), '');
  files.rename(hidden, directory);
  return directory;
};

export type DeadInstance = Readonly<{ relayId: string; directory: string }>;

/**
 * Instances whose process is gone; the journal of a running one is not read. Processes are
 * identified by pid, so relays of different machines or containers must not share a directory.
 */
export const deadInstances = (
  { root, files, processTable }: JournalHome,
  ownRelayId: string,
): DeadInstance[] => {
  files.makeDirectory(root);
  return files
    .list(root)
    .filter(({ name, isDirectory }) => isDirectory && !name.startsWith('.'))
    .filter(({ name }) => name !== ownRelayId)
    .map(({ name }) => ({ relayId: name, directory: join(root, name) }))
    .filter(({ directory }) => {
      const owner = readOwner(files, directory);
      return owner === null || !processTable.isAlive(owner);
    });
};
