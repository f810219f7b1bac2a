import type { Kysely } from 'kysely';
import type { Bus } from '../infra/ports/bus.ts';
import type { Logger } from '../infra/ports/logger.ts';
import type { ReadModels } from '../infra/ports/read-models.ts';
import { allProjectors } from './all-projectors.ts';
import { keylessVault } from './verify/keyless.ts';
import { openReadModels } from './verify/read-models.ts';
import type { ShadowOptions } from './verify/shadow.ts';

const ignore = (): void => undefined;
const logger: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  child: () => logger,
};

/** All projectors, without keys. They only build tables here, and publish nothing. */
export const keylessProjectors = allProjectors({
  vault: keylessVault,
  logger,
  bus: {} as Bus,
  onDeparture: ignore,
});

/** The read models for `verify`. Nothing is written but temporary tables, which go with the session. */
export const createReadModels = (
  db: Kysely<unknown>,
  options: Partial<ShadowOptions> = {},
): ReadModels => openReadModels(db, { projectors: keylessProjectors, ...options });
