import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Logger } from '../../ports/logger.ts';
import { createPool } from '../../postgres/create-database.ts';
import { processStat, statFields } from '../../system/process-stat.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';

const nothing = (): void => undefined;
const logger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => logger,
};

let dataDir: string;
let running: EmbeddedPostgres | null = null;

const start = async (directory = dataDir): Promise<EmbeddedPostgres> => {
  running = await startEmbeddedPostgres({ dataDir: directory, logger });
  return running;
};

const ask = async (postgres: EmbeddedPostgres, sql: string): Promise<unknown[]> => {
  const pool = createPool({ url: postgres.url('books'), applicationName: 'test' });
  try {
    return (await pool.query(sql)).rows;
  } finally {
    await pool.end();
  }
};

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tollgate-test-'));
  // As root the engine runs as another user, who must get here.
  await chmod(dataDir, 0o755);
});
afterEach(async () => {
  await running?.stop();
  running = null;
  await rm(dataDir, { recursive: true, force: true });
});

test('the engine keeps its data over a stop and a start', async () => {
  const first = await start();
  await first.createDatabase('books');
  await first.createDatabase('books');
  await ask(first, 'create table t (n int); insert into t values (7)');
  await first.stop();
  expect(await ask(await start(), 'select n from t')).toEqual([{ n: 7 }]);
});

test('an engine whose parent was killed is taken over with its data', async () => {
  const module = new URL('./start-embedded-postgres.ts', import.meta.url).pathname;
  const script = `
    import('${module}').then(async ({ startEmbeddedPostgres }) => {
      const nothing = () => undefined;
      const logger = { info: nothing, warn: nothing, error: nothing, debug: nothing };
      const postgres = await startEmbeddedPostgres({ dataDir: '${dataDir}', logger });
      await postgres.createDatabase('books');
      process.kill(process.pid, 'SIGKILL');
    });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: 'inherit' });
  await once(child, 'exit');
  const orphan = (await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split(
    '\n',
  )[0];
  const postgres = await start();
  const now = (await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0];
  expect(now).toBe(orphan);
  expect(await ask(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a process id that now belongs to another program does not stop a start', async () => {
  await (await start()).stop();
  const named = `${process.pid}\n${dataDir}\n`;
  await writeFile(join(dataDir, 'cluster', 'postmaster.pid'), named);
  await writeFile(join(dataDir, 'socket', '.s.PGSQL.5432.lock'), named);
  const postgres = await start();
  await postgres.createDatabase('books');
  expect(await ask(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a directory that another living process holds is refused in one line', async () => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const started = processStat(child.pid ?? 0)[statFields.start] ?? '';
  await writeFile(join(dataDir, 'owner'), `${child.pid} ${started}`);
  await expect(start()).rejects.toThrow(`in use by process ${child.pid}`);
  child.kill();
});

test('a path too long for a socket address is no obstacle', async () => {
  const postgres = await start(join(dataDir, 'long-'.repeat(20), 'long-'.repeat(20)));
  await postgres.createDatabase('books');
  expect(await ask(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('the engine listens on no network address and would trust no client there', async () => {
  const postgres = await start();
  await postgres.createDatabase('books');
  const rules = "select type, auth_method from pg_hba_file_rules where type <> 'local'";
  expect(await ask(postgres, rules)).toEqual([]);
  expect(await ask(postgres, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
  expect(await ask(postgres, 'show unix_socket_permissions')).toEqual([
    { unix_socket_permissions: '0700' },
  ]);
  const socket = await stat(join(dataDir, 'socket'));
  const cluster = await stat(join(dataDir, 'cluster'));
  expect(socket.mode & 0o777).toBe(0o700);
  expect(socket.uid).toBe(cluster.uid);
});
