import { createNatsBus } from '../bus/nats/create-nats-bus.ts';
import type { Bus } from '../ports/bus.ts';
import type { Foundation } from './foundation.ts';

type Needed = Readonly<{ bus: Bus; eventStoreUrl: () => string; databaseUrl: () => string }>;

const orStop = (value: string | null, name: string): string => {
  if (value !== null) return value;
  process.stderr.write(`configuration: ${name} must be set for a process that runs on its own\n`);
  process.exit(1);
};

/** What single processes share: the bus at once, the addresses of the others when asked for. */
export const connectEngines = async (
  { config, logger }: Foundation,
  name: string,
): Promise<Needed> => ({
  bus: await createNatsBus({ url: orStop(config.natsUrl, 'NATS_URL'), logger, name }),
  eventStoreUrl: () => orStop(config.eventStoreUrl, 'EVENTSTORE_URL'),
  databaseUrl: () => orStop(config.databaseUrl, 'DATABASE_URL'),
});
