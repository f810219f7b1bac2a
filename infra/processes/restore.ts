/*
 * `npm run restore -- FOLDER`: fills an empty DATA_DIR from a backup that `npm run backup` made. The site
 * is started afterwards as always, and rebuilds its read models. Ends with 1 when nothing was restored.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BackupError } from '../backup/manifest.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { secretKeyFile } from '../backup/write-backup.ts';
import { startEmbeddedPostgres } from '../embedded/postgres/start-embedded-postgres.ts';
import { embeddedDatabases } from './engines.ts';
import { refuse } from './refuse.ts';
import { createRuntime } from './runtime.ts';

const { config, logger } = createRuntime('restore', 'tool');
const [folder, ...rest] = process.argv.slice(2);
const dataDir = resolve(config.dataDir);

const openLog = async () => {
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), logger });
  await postgres.createDatabase(embeddedDatabases.eventStore);
  return { url: postgres.url(embeddedDatabases.eventStore), close: postgres.stop };
};

const run = async (backup: string): Promise<void> => {
  const { createdAt, head, tables } = await restoreBackup({ backup, dataDir, openLog });
  const events = tables.find(({ name }) => name === 'events')?.rows ?? 0;
  const hasKey = existsSync(join(dataDir, secretKeyFile));
  process.stdout.write(
    `restored ${events} events, up to ${head}, as of ${createdAt}: ${dataDir}\n` +
      `${hasKey ? 'Start it with npm start' : 'Start it with npm start and the SECRET_KEY of that time'}\n`,
  );
};

if (folder === undefined || rest.length > 0 || folder.startsWith('-')) {
  await refuse('usage: npm run restore -- FOLDER');
}
if (config.eventStoreUrl !== null) {
  await refuse('EVENTSTORE_URL is set: a backup of DATA_DIR is restored for the embedded log only');
}
try {
  await run(resolve(folder ?? ''));
} catch (error) {
  const reason =
    error instanceof BackupError ? error.message : `it was not restored: ${String(error)}`;
  await refuse(reason);
}
