import type { Bus } from '../infra/ports/bus.ts';
import type { Clock } from '../infra/ports/clock.ts';
import type { EventStore } from '../infra/ports/event-store.ts';
import type { Logger } from '../infra/ports/logger.ts';
import type { Logins } from '../infra/ports/logins.ts';
import type { Mail } from '../infra/ports/mail.ts';
import type { SessionSigner, SessionUse, SessionVerifier } from '../infra/ports/sessions.ts';
import type { Vault } from '../infra/ports/vault.ts';
import type { Claims } from './claims.ts';
import type { CommandHandler } from './handle-command.ts';
import type { Ids } from './ids.ts';
import type { JobRunner } from './jobs/run-jobs.ts';
import type { Accounts } from './keeper-port.ts';
import type { Notices } from './notices/create-notices.ts';
import type { PersonalKeys } from './personal-keys.ts';
import type { NewId } from './repeatable-ids.ts';
import type { SiteOptions } from './site/site-options.ts';
import type { LoginFailures } from './user/login-failures.ts';

/** What routes and processes work with. */
export type Services = Readonly<{
  eventStore: EventStore;
  bus: Bus;
  vault: Vault;
  sessionSigner: SessionSigner;
  sessionVerifier: SessionVerifier;
  sessionUse: SessionUse;
  clock: Clock;
  logger: Logger;
  mail: Mail;
  logins: Logins;
  commands: CommandHandler;
  accounts: Accounts;
  ids: Ids;
  newId: NewId;
  claims: Claims;
  personalKeys: PersonalKeys;
  loginFailures: LoginFailures;
  options: SiteOptions;
  /** Mails and webhooks to people, sent in the background. */
  notices: Notices;
  /** Work that is done from time to time, once in a cluster. */
  jobs: JobRunner;
  /** Does a process act upon events of this type? */
  hasConsequences: (eventType: string) => boolean;
}>;
