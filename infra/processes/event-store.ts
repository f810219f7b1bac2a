/*
 * `node infra/tooling/start.mjs event-store`: the embedded node as a separate process, for the
 * processes of one machine. It listens on the socket that `EVENTSTORE_URL` names (`esdb+unix://…`)
 * and keeps its log in the database `event_store` of the server of `DATABASE_URL`.
 */
import { startEventStoreNode } from '../embedded/event-store/start-event-store-node.ts';
import { socketPathOf } from '../event-store/socket-address.ts';
import { createPool } from '../postgres/create-database.ts';
import { refuse } from './refuse.ts';
import { createRuntime } from './runtime.ts';
import { shutDownOnSignal } from './shutdown.ts';

const runtime = createRuntime('event-store');
const { config, logger } = runtime;
const database = 'event_store';

const socketPath = config.eventStoreUrl === null ? null : socketPathOf(config.eventStoreUrl);
if (socketPath === null || config.databaseUrl === null) {
  await refuse('configuration: EVENTSTORE_URL must name a socket, and DATABASE_URL must be set');
}

/** The database of the log, made on the first start. */
const databaseOfLog = async (serverUrl: string): Promise<string> => {
  const pool = createPool({ url: serverUrl, applicationName: 'event-store', maxConnections: 1 });
  const { rowCount } = await pool.query('select 1 from pg_database where datname = $1', [database]);
  if (rowCount === 0) await pool.query(`create database ${database}`);
  await pool.end();
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
};

const node = await startEventStoreNode({
  databaseUrl: await databaseOfLog(config.databaseUrl ?? ''),
  endpoint: { socketPath: socketPath ?? '' },
  logger,
});
logger.info({ socketPath }, 'the event store is open');
shutDownOnSignal(logger, [{ name: 'event store', run: node.close }]);
