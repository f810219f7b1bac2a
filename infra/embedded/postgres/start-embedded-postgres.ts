import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, chown, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Logger } from '../../ports/logger.ts';
import { engineEnvironment } from '../engine-environment.ts';
import { openSocketDirectory, type SocketDirectory } from '../socket-directory.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { homeFor } from './home.ts';
import { findOsUser, type OsUser, spawnAs } from './os-user.ts';
import { claimDirectory } from './owner.ts';
import { findPostmaster, stopProcess, untilDeserted } from './postmaster.ts';

const run = promisify(execFile);

export type EmbeddedPostgres = Readonly<{
  /** Connection string for `pg`; through the socket, so no port is taken. */
  url: (database: string) => string;
  /** Creates the database when there is none of that name. */
  createDatabase: (database: string) => Promise<void>;
  /** Ends the engine cleanly. Close every pool first. */
  stop: () => Promise<void>;
}>;

/** One machine, one log: durable commits, modest memory. */
const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  min_wal_size: '64MB',
  checkpoint_timeout: '10min',
  synchronous_commit: 'on',
  // Read models do not wait for it, and the log's commits wait for none.
  wal_writer_delay: '1s',
  // Each worker is a process: reads go without, and nothing is replicated.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '2',
  // Each look starts a process for each database; tables of one machine gather little in three minutes.
  autovacuum_naptime: '3min',
  jit: 'off',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
};

const lockFileName = '.s.PGSQL.5432.lock';
const startTimeoutMs = 60_000;
const stopGraceMs = 20_000;

const makeDirectory = async (path: string, user: OsUser): Promise<void> => {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
  if (user.kind === 'other') await chown(path, user.uid, user.gid);
};

const defaultSocketDir = (home: string): string => join(home, 'socket');

/** Where the server listens; only its own user (and root) gets in. */
const openSockets = async (home: string, user: OsUser): Promise<SocketDirectory> => {
  const directory = await openSocketDirectory(defaultSocketDir(home), lockFileName);
  if (user.kind === 'other') await chown(directory.path, user.uid, user.gid);
  return directory;
};

/** Clients of the socket are trusted, since its directory is closed to other users; no others are. */
const hostBasedAuthentication = 'local all all trust\n';

const initialise = async (initdb: string, cluster: string, user: OsUser): Promise<void> => {
  const isDone = await stat(join(cluster, 'initialised')).then(
    () => true,
    () => false,
  );
  if (isDone) return;
  // Half an initialisation, cut off by a crash, holds nothing.
  await rm(cluster, { recursive: true, force: true });
  await makeDirectory(cluster, user);
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const options = ['--encoding=UTF8', '--auth=trust', '--username=postgres', ...locale];
  const context = { ...spawnAs(user), env: engineEnvironment(), cwd: '/' };
  await run(initdb, [`--pgdata=${cluster}`, ...options], context).catch((error: unknown) => {
    const detail = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    throw new Error(`PostgreSQL could not be initialised in ${cluster}: ${detail || error}`);
  });
  await (await open(join(cluster, 'initialised'), 'w')).close();
};

const tail = async (file: string): Promise<string> =>
  (await readFile(file, 'utf8').catch(() => '')).trimEnd().split('\n').slice(-5).join(' | ');

const launch = async (
  binaries: Binaries,
  paths: Readonly<{ cluster: string; sockets: string; log: string }>,
  user: OsUser,
): Promise<ChildProcess> => {
  const grown = await stat(paths.log).then(
    ({ size }) => size > 1_000_000,
    () => false,
  );
  const log = await open(paths.log, grown ? 'w' : 'a', 0o600);
  const flags = Object.entries({ ...settings, unix_socket_directories: paths.sockets });
  const args = ['-D', paths.cluster, ...flags.flatMap(([key, value]) => ['-c', `${key}=${value}`])];
  // Detached: Ctrl-C in a terminal reaches us alone, so that we can close in the right order.
  const child = spawn(binaries.postgres, args, {
    ...spawnAs(user),
    env: engineEnvironment(),
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', log.fd],
  });
  await new Promise<void>((done, fail) => {
    child.once('spawn', done);
    child.once('error', (error) =>
      fail(new Error(`PostgreSQL could not be run: ${error.message}`)),
    );
  }).finally(() => log.close());
  child.unref();
  return child;
};

const canConnect = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
};

const waitUntilReady = async (url: string, ended: () => string | null): Promise<void> => {
  const deadline = performance.now() + startTimeoutMs;
  while (!(await canConnect(url))) {
    const reason = ended();
    if (reason !== null) throw new Error(reason);
    if (performance.now() > deadline) throw new Error('it does not answer');
    await sleep(15);
  }
};

/** Connection strings for the databases behind a directory of sockets. */
export const urlIn =
  (sockets: string) =>
  (database: string): string =>
    `postgres://postgres@localhost/${encodeURIComponent(database)}?host=${encodeURIComponent(sockets)}`;

const createDatabaseAt =
  (url: (database: string) => string) =>
  async (database: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url('postgres') });
    await client.connect();
    try {
      const found = await client.query('select 1 from pg_database where datname = $1', [database]);
      if (found.rowCount === 0) {
        await client.query(`create database ${client.escapeIdentifier(database)}`);
      }
    } finally {
      await client.end();
    }
  };

/**
 * Starts real PostgreSQL on `<dataDir>`, or takes over the one that a killed parent left running.
 * @throws Error with one clear line when the engine cannot start
 */
export const startEmbeddedPostgres = async (
  options: Readonly<{ dataDir: string; logger: Logger }>,
): Promise<EmbeddedPostgres> => {
  const user = await findOsUser();
  const home = await homeFor(resolve(options.dataDir), user, options.logger);
  const release = await claimDirectory(home);
  try {
    return await startOrAdopt(home, user, { logger: options.logger, release });
  } catch (error) {
    await release();
    throw error;
  }
};

/**
 * After a kill the files that name the dead engine may still keep a new one from starting: its
 * number may be held by a zombie process, or by another program.
 */
const clearTracks = async (cluster: string, sockets: string, isStale: boolean): Promise<void> => {
  await untilDeserted(cluster, stopGraceMs);
  if (isStale) await rm(join(cluster, 'postmaster.pid'), { force: true });
  for (const name of ['.s.PGSQL.5432.lock', '.s.PGSQL.5432']) {
    await rm(join(sockets, name), { force: true });
  }
};

type Finish = (pid: number, sockets: SocketDirectory) => EmbeddedPostgres;

const adoptedSockets = (home: string, path: string): SocketDirectory => ({
  path,
  remove: async () => {
    if (path !== defaultSocketDir(home)) await rm(path, { recursive: true, force: true });
  },
});

const startOrAdopt = async (
  home: string,
  user: OsUser,
  context: Readonly<{ logger: Logger; release: () => Promise<void> }>,
): Promise<EmbeddedPostgres> => {
  const cluster = join(home, 'cluster');
  const running = await findPostmaster(cluster);
  const finish: Finish = (pid, sockets) => ({
    url: urlIn(sockets.path),
    createDatabase: createDatabaseAt(urlIn(sockets.path)),
    stop: async () => {
      await stopProcess(pid, stopGraceMs);
      await sockets.remove();
      await context.release();
    },
  });
  if (running !== null && running !== 'stale') {
    context.logger.info({ pid: running.pid }, 'taking over the running PostgreSQL');
    const adopted = await waitUntilReady(urlIn(running.socketDir)('postgres'), () => null).then(
      () => true,
      () => false,
    );
    if (adopted) return finish(running.pid, adoptedSockets(home, running.socketDir));
    await stopProcess(running.pid, stopGraceMs);
  }
  await clearTracks(cluster, defaultSocketDir(home), running === 'stale');
  return start(home, user, finish);
};

const start = async (home: string, user: OsUser, finish: Finish): Promise<EmbeddedPostgres> => {
  const sockets = await openSockets(home, user);
  const paths = {
    cluster: join(home, 'cluster'),
    sockets: sockets.path,
    log: join(home, 'postgres.log'),
  };
  const binaries = await findBinaries(user, home);
  await initialise(binaries.initdb, paths.cluster, user);
  await writeFile(join(paths.cluster, 'pg_hba.conf'), hostBasedAuthentication);
  const child = await launch(binaries, paths, user);
  const ended = (): string | null =>
    child.exitCode === null && child.signalCode === null ? null : 'it ended at once';
  await waitUntilReady(urlIn(paths.sockets)('postgres'), ended).catch(async (error: Error) => {
    child.kill('SIGINT');
    await sockets.remove();
    throw new Error(`PostgreSQL did not start (${error.message}): ${await tail(paths.log)}`);
  });
  if (child.pid === undefined) throw new Error('PostgreSQL has no process id');
  return finish(child.pid, sockets);
};
