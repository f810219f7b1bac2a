import { orRefused } from '../engine-refusals.ts';
import type { EventStore } from '../ports/event-store.ts';
import { findSecretKey, givenSecretKey, loadSecretKey } from '../secret-key.ts';
import type { ProcessKind } from '../vault/process-key.ts';
import { openSiteKeys, type SiteKeys } from '../vault/site-keys.ts';
import { orRefuse, refuse } from './refuse.ts';
import type { Runtime } from './runtime.ts';

type Needs = Pick<Runtime, 'config' | 'logger'>;

/** Of the all-in-one run: the key that is given, or the one kept in the data folder. */
export const keptSecret = ({ config, logger }: Needs): Promise<string> =>
  orRefuse(() => loadSecretKey(config, (message) => logger.warn({}, message)));

/** Of a process that runs on its own: a key that it made itself would open nothing of the site. */
export const requiredSecret = async ({ config, logger }: Needs): Promise<string> => {
  const secret = await orRefuse(() =>
    givenSecretKey(config, (message) => logger.warn({}, message)),
  );
  if (secret !== null) return secret;
  return refuse(
    'configuration: SECRET_KEY or SECRET_KEY_FILE must be set for a process that runs on its own',
  );
};

/** For a tool next to a site: it finds the key of the site and never makes one. */
export const foundSecret = async ({ config, logger }: Needs): Promise<string> => {
  const secret = await orRefuse(() => findSecretKey(config, (message) => logger.warn({}, message)));
  return secret ?? refuse('configuration: SECRET_KEY or SECRET_KEY_FILE must be set');
};

type Opening = Readonly<{
  eventStore: EventStore;
  secret: string;
  /** Whose printed key is accepted in addition to the master key; null: none. */
  kind: ProcessKind | null;
}>;

/** The keys of the log; a log that refuses us, or a secret that does not open them, ends the process. */
export const openKeys = (
  { clock, logger }: Pick<Runtime, 'clock' | 'logger'>,
  { eventStore, secret, kind }: Opening,
): Promise<SiteKeys> =>
  orRefuse(() =>
    orRefused('EVENTSTORE_URL', () => openSiteKeys({ eventStore, clock, logger }, secret, kind)),
  );
