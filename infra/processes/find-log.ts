import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { refuse } from './refuse.ts';
import type { Runtime } from './runtime.ts';

/** For tools next to a running site: its log, by EVENTSTORE_URL or DATA_DIR/run.json. */
export const findLog = async ({ config }: Pick<Runtime, 'config'>): Promise<string> => {
  if (config.eventStoreUrl !== null) return config.eventStoreUrl;
  const path = join(resolve(config.dataDir), 'run.json');
  if (!existsSync(path)) {
    return refuse(`no site runs on ${config.dataDir}; start it, or set EVENTSTORE_URL`);
  }
  return (JSON.parse(readFileSync(path, 'utf8')) as { eventStoreUrl: string }).eventStoreUrl;
};
