import type { AccountCommand, AccountRejection } from '../domain/account/commands.ts';
import type { AccountEvent } from '../domain/account/events.ts';
import type { TokenId, UserId } from '../domain/shared/ids.ts';
import type { CommandResult } from './command-result.ts';

/** What a token may still spend and has spent, in quota units. */
type TokenBudget = Readonly<{ unlimited: boolean; remain: number; used: number }>;

/** The books of one user at this moment, in quota units. `tokens` holds every budget that is open. */
export type AccountGlance = Readonly<{
  balance: number;
  used: number;
  requestCount: number;
  tokens: ReadonlyMap<TokenId, TokenBudget>;
}>;

/** The keeper of accounts, as routes and processes see it. */
export interface Accounts {
  /** Idempotent by `metadata.commandId`; the same command twice moves money once. */
  execute(command: AccountCommand): Promise<CommandResult<AccountEvent, AccountRejection>>;
  /** null: no such account yet. */
  glance(userId: UserId): Promise<AccountGlance | null>;
}
