/*
 * `npm run backup -- FOLDER`: backs up the all-in-one site of DATA_DIR, running or stopped, into a folder
 * that does not exist yet: the embedded log, the relays' journals, and the secret key that is kept in
 * DATA_DIR (`--without-key` leaves it out). Read models are rebuilt from the log. Ends with 1 when no
 * backup was made.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BackupError } from '../backup/manifest.ts';
import { checkTarget, secretKeyFile, writeBackup } from '../backup/write-backup.ts';
import { attachPostgres } from '../embedded/postgres/attach-postgres.ts';
import { embeddedDatabases } from './engines.ts';
import { productVersion } from './product-version.ts';
import { refuse } from './refuse.ts';
import { createRuntime } from './runtime.ts';

const usage = 'usage: npm run backup -- FOLDER [--without-key]';
const { config, clock, logger } = createRuntime('backup', 'tool');
const options = process.argv.slice(2);
const withKey = !options.includes('--without-key');
const folders = options.filter((option) => option !== '--without-key');
const dataDir = resolve(config.dataDir);

const keyNote = (hasKey: boolean): string =>
  hasKey
    ? 'It holds the secret key, which opens all that is sealed in it: keep others away from it.'
    : 'The secret key is not in it; without SECRET_KEY of now it cannot be used. Keep that apart.';

const run = async (target: string): Promise<void> => {
  checkTarget({ dataDir, target });
  const postgres = await attachPostgres({ dataDir: join(dataDir, 'postgres'), logger });
  try {
    const { files, tables, head } = await writeBackup({
      dataDir,
      target,
      logUrl: postgres.url(embeddedDatabases.eventStore),
      withKey,
      version: productVersion(),
      now: clock().toISOString(),
    });
    const events = tables.find(({ name }) => name === 'events')?.rows ?? 0;
    const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000;
    process.stdout.write(
      `backed up ${events} events, up to ${head}, in ${megabytes.toFixed(1)} MB: ${target}\n` +
        `${keyNote(files.some(({ path }) => path === secretKeyFile))}\n`,
    );
  } finally {
    await postgres.release();
  }
};

const [folder, ...rest] = folders;
if (folder === undefined || rest.length > 0 || folder.startsWith('-')) await refuse(usage);
if (config.eventStoreUrl !== null) {
  await refuse(
    'EVENTSTORE_URL is set: the log is not in DATA_DIR; infra/runbooks/ has how that engine is backed up',
  );
}
if (!existsSync(join(dataDir, 'postgres'))) await refuse(`there is no site in ${dataDir}`);
try {
  await run(resolve(folder ?? ''));
} catch (error) {
  await refuse(
    error instanceof BackupError ? error.message : `no backup was made: ${String(error)}`,
  );
}
