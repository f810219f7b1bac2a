import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { restoreLog } from './copy-log.ts';
import { BackupError, checkFiles, type Manifest, readManifest } from './manifest.ts';
import { journalFolder, secretKeyFile } from './write-backup.ts';

/** Present in a data folder while it is filled; a site does not start there. */
export const unfinishedRestore = 'restore-unfinished';

type Plan = Readonly<{
  backup: string;
  dataDir: string;
  /** Starts the engine of the data folder; answers the database of the log. */
  openLog: () => Promise<Readonly<{ url: string; close: () => Promise<void> }>>;
}>;

const copyFiles = async ({ backup, dataDir }: Plan, { files }: Manifest): Promise<void> => {
  for (const { path } of files) {
    if (path !== secretKeyFile && !path.startsWith(`${journalFolder}/`)) continue;
    const to = join(dataDir, path);
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await copyFile(join(backup, path), to);
  }
};

/**
 * Fills an empty data folder from a backup, which is checked before anything is written.
 * @throws BackupError
 */
export const restoreBackup = async (plan: Plan): Promise<Manifest> => {
  const { backup, dataDir } = plan;
  const manifest = await readManifest(backup);
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new BackupError(
      `${dataDir} is not empty; a backup is restored into an empty folder only`,
    );
  }
  await checkFiles(backup, manifest);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(join(dataDir, unfinishedRestore), '', { mode: 0o600 });
  const log = await plan.openLog();
  try {
    await restoreLog(log.url, backup, manifest);
  } finally {
    await log.close();
  }
  await copyFiles(plan, manifest);
  await rm(join(dataDir, unfinishedRestore));
  return manifest;
};
