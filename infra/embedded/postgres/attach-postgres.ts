import { join, resolve } from 'node:path';
import type { Logger } from '../../ports/logger.ts';
import { homeFor } from './home.ts';
import { findOsUser } from './os-user.ts';
import { findPostmaster } from './postmaster.ts';
import { startEmbeddedPostgres, urlIn } from './start-embedded-postgres.ts';

export type AttachedPostgres = Readonly<{
  url: (database: string) => string;
  /** Ends the engine if it was started here. */
  release: () => Promise<void>;
}>;

/**
 * The PostgreSQL of a data directory for a tool: the one that runs on it, whose owner keeps it, or one
 * that is started until `release`.
 * @throws Error with one clear line when the engine cannot start
 */
export const attachPostgres = async (
  options: Readonly<{ dataDir: string; logger: Logger }>,
): Promise<AttachedPostgres> => {
  const home = await homeFor(resolve(options.dataDir), await findOsUser(), options.logger);
  const running = await findPostmaster(join(home, 'cluster'));
  if (running !== null && running !== 'stale') {
    return { url: urlIn(running.socketDir), release: async () => undefined };
  }
  const started = await startEmbeddedPostgres(options);
  return { url: started.url, release: started.stop };
};
