import { createNatsBus } from '../bus/nats/create-nats-bus.ts';
import type { Bus } from '../ports/bus.ts';
import type { Foundation } from './foundation.ts';
import { requiredSecret } from './open-keys.ts';
import { refuse } from './refuse.ts';

const urls = {
  natsUrl: 'NATS_URL',
  eventStoreUrl: 'EVENTSTORE_URL',
  databaseUrl: 'DATABASE_URL',
} as const;
type UrlName = keyof typeof urls;

/**
 * What a process that runs on its own stands on: the addresses that it needs and a secret. Without
 * one of them it ends with a line that names it, before it connects anywhere.
 */
export const requireEngines = async <Name extends UrlName>(
  foundation: Foundation,
  names: readonly Name[],
): Promise<Readonly<Record<Name, string> & { secret: string }>> => {
  const found: Partial<Record<UrlName, string>> = {};
  for (const name of names) {
    const url = foundation.config[name];
    const problem = `${urls[name]} must be set for a process that runs on its own`;
    found[name] = url ?? (await refuse(`configuration: ${problem}`));
  }
  const secret = await requiredSecret(foundation);
  return { ...(found as Record<Name, string>), secret };
};

export const connectBus = ({ logger }: Foundation, url: string, name: string): Promise<Bus> =>
  createNatsBus({ url, logger, name });
