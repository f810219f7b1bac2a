import { requestRateBuckets } from '../../domain/option/request-rate-buckets.ts';
import { responseBucket } from '../../domain/relay/response-bucket.ts';
import { createNatsBus } from '../bus/nats/create-nats-bus.ts';
import type { Provided } from '../bus/nats/provide.ts';
import { ConfigError } from '../config.ts';
import { orRefused } from '../engine-refusals.ts';
import type { Bus } from '../ports/bus.ts';
import { createPool } from '../postgres/create-database.ts';
import { requiredSecret } from './open-keys.ts';
import { orRefuse, refuse } from './refuse.ts';
import type { Runtime } from './runtime.ts';

const urls = {
  natsUrl: 'NATS_URL',
  eventStoreUrl: 'EVENTSTORE_URL',
  databaseUrl: 'DATABASE_URL',
} as const;
type UrlName = keyof typeof urls;

/**
 * What a single process needs: the addresses of its engines and a secret. Without one of them it
 * ends with a line that names it, before it connects anywhere.
 */
export const requireEngines = async <Name extends UrlName>(
  runtime: Runtime,
  names: readonly Name[],
): Promise<Readonly<Record<Name, string> & { secret: string }>> => {
  const found: Partial<Record<UrlName, string>> = {};
  for (const name of names) {
    const url = runtime.config[name];
    const problem = `${urls[name]} must be set for a process that runs on its own`;
    found[name] = url ?? (await refuse(`configuration: ${problem}`));
  }
  const secret = await requiredSecret(runtime);
  return { ...(found as Record<Name, string>), secret };
};

/** A database that refuses this process ends it; one that is not up yet is awaited. */
export const checkDatabase = async (url: string): Promise<void> => {
  const pool = createPool({ url, applicationName: 'tollgate-start', maxConnections: 1 });
  await orRefuse(() =>
    orRefused('DATABASE_URL', () => pool.query('select 1')).catch((error: unknown) => {
      if (error instanceof ConfigError) throw error;
    }),
  );
  await pool.end();
};

/** Each kind of process makes what it is the source of. A relay makes nothing, and may not. */
const provided = {
  'command-api': { queues: ['usage'], buckets: [...requestRateBuckets, responseBucket] },
  projections: { feeds: ['keys', 'options', 'channels', 'accounts', 'tokens'] },
  relay: null,
} as const satisfies Record<string, Provided | null>;

type BusUser = keyof typeof provided | 'control' | 'edge';

const providedBy = (name: BusUser): Provided | null => {
  if (name === 'control') return { ...provided['command-api'], ...provided.projections };
  return name === 'edge' ? null : provided[name];
};

/** A server that refuses this process ends it with a line that names the reason. */
export const connectBus = (
  { config, logger }: Pick<Runtime, 'config' | 'logger'>,
  url: string,
  name: BusUser,
): Promise<Bus> => {
  const provides = providedBy(name);
  const creates = provides !== null;
  const replicas = config.natsReplicas;
  return orRefuse(() =>
    createNatsBus({ url, logger, name, replicas, creates, ...(provides && { provides }) }),
  );
};
