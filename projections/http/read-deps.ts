import type { Kysely } from 'kysely';
import type { Clock } from '../../infra/ports/clock.ts';
import type { SessionUse } from '../../infra/ports/sessions.ts';
import type { ReadVault } from '../../infra/ports/vault.ts';
import type { Lookups } from './lookups.ts';

/** What the routes of a read model work with. */
export type ReadDeps = Readonly<{
  /** Each read model gives it its own tables by `withTables`. */
  db: Kysely<unknown>;
  lookups: Lookups;
  vault: ReadVault;
  sessionUse: SessionUse;
  clock: Clock;
}>;
