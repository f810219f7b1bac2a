import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { SessionVerifier } from '../../infra/ports/sessions.ts';
import type { BodyBudget } from '../../infra/web/body-budget.ts';
import type { ClientAddress } from '../../infra/web/client-address.ts';
import type { AccountDirectory } from '../feeds/accounts.ts';
import type { OptionBook } from '../feeds/options.ts';
import type { TokenDirectory } from '../feeds/token-directory.ts';

/** What the checks of a request work with. */
export type AdmissionDeps = Readonly<{
  tokens: TokenDirectory;
  accounts: AccountDirectory;
  options: OptionBook;
  sessionVerifier: SessionVerifier;
  clientAddress: ClientAddress;
  clock: Clock;
  logger: Logger;
  /** Bytes of request bodies in memory, shared with whatever else this process serves. */
  bodies: BodyBudget;
  /** Largest request body, before and after decompression. */
  settings: Readonly<{ maxBodyBytes: number }>;
}>;
