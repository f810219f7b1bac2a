import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Logger } from '../../ports/logger.ts';
import { Log } from './log/log.ts';
import { ScavengeRounds } from './log/scavenge-rounds.ts';
import type { NodeContext } from './node-context.ts';

export type LogOptions = Readonly<{
  databaseUrl: string;
  logger: Logger;
  /** Sum of data, metadata and twice the type names of one append; 1 MiB like the real one. */
  maxAppendBytes?: number;
}>;

/** The log without a server. */
export type EmbeddedLog = Readonly<{ context: NodeContext; close: () => Promise<void> }>;

const defaultMaxAppendBytes = 1024 * 1024;

/** A fresh log has system events, like the real one: clients and tests count on it. */
const seed = async (log: Log): Promise<void> => {
  const event = (type: string, data: object) => ({
    eventId: randomUUID(),
    type,
    isJson: true,
    data: Buffer.from(JSON.stringify(data)),
    metadata: Buffer.alloc(0),
  });
  const write = (stream: string, events: ReturnType<typeof event>[]) =>
    log.write({ kind: 'append', stream, expected: 'no-stream', events }, Date.now() + 10_000);
  await write('$epoch-information', [event('$epoch-information', { epochNumber: 0 })]);
  await write('$$$epoch-information', [event('$metadata', { $maxCount: 1 })]);
};

/**
 * Opens the log in a database of PostgreSQL.
 * @throws when another process writes this log
 */
export const openEmbeddedLog = async (options: LogOptions): Promise<EmbeddedLog> => {
  const { logger, maxAppendBytes = defaultMaxAppendBytes } = options;
  const log = await Log.open(options);
  if (log.commits.head === 0) await seed(log);
  const stopping = new AbortController();
  // Every open call listens; there is no bound to how many there are.
  setMaxListeners(0, stopping.signal);
  const rounds = new ScavengeRounds(log, logger);
  rounds.schedule();
  return {
    context: { log, logger, rounds, stopping: stopping.signal, maxAppendBytes },
    close: async () => {
      stopping.abort();
      rounds.stop();
      await log.close();
    },
  };
};
