import { existsSync } from 'node:fs';
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { copyJournals } from './copy-journals.ts';
import { copyLog } from './copy-log.ts';
import {
  BackupError,
  type CopiedFile,
  describeFile,
  type Manifest,
  manifestFile,
  manifestOf,
} from './manifest.ts';

export const journalFolder = 'journal';
export const secretKeyFile = 'secret-key';

type Plan = Readonly<{
  dataDir: string;
  /** Of the backup; must not exist. */
  target: string;
  /** Of the database that holds the log. */
  logUrl: string;
  /** Also the secret key, where the data folder has it. */
  withKey: boolean;
  version: string;
  now: string;
}>;

const writeDurably = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** A rename is lasting once the folder is on the disk. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
};

/** @throws BackupError */
export const checkTarget = ({ dataDir, target }: Pick<Plan, 'dataDir' | 'target'>): void => {
  if (existsSync(target)) throw new BackupError(`${target} exists; name a new folder`);
  if (!relative(dataDir, target).startsWith('..')) {
    throw new BackupError(`${target} is inside ${dataDir}, and would be lost together with it`);
  }
};

/**
 * Backs up a data folder, whose site may run. Journals are copied before the log: a record that is
 * settled meanwhile is then in both, which charges it once, while the other way round it would be
 * in neither. The folder gets its name once it is whole.
 * @throws BackupError
 */
export const writeBackup = async (plan: Plan): Promise<Manifest> => {
  checkTarget(plan);
  const { dataDir, target } = plan;
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}`);
  await mkdir(dirname(target), { recursive: true });
  await mkdir(draft, { mode: 0o700 });
  try {
    const journals = await copyJournals(join(dataDir, journalFolder), join(draft, journalFolder));
    const log = await copyLog(plan.logUrl, draft);
    const paths = [
      ...journals.map((path) => `${journalFolder}/${path}`),
      ...log.tables.map(({ file }) => file),
    ];
    if (plan.withKey && existsSync(join(dataDir, secretKeyFile))) {
      await copyFile(join(dataDir, secretKeyFile), join(draft, secretKeyFile));
      paths.push(secretKeyFile);
    }
    const files: CopiedFile[] = [];
    for (const path of paths) files.push(await describeFile(draft, path));
    const manifest = manifestOf({ version: plan.version, createdAt: plan.now, ...log, files });
    await writeDurably(join(draft, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
    await rename(draft, target);
    await syncFolder(dirname(target));
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
};
