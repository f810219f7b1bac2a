import type { AccountCommand, AccountRejection } from '../../domain/account/commands.ts';
import type { AccountEvent } from '../../domain/account/events.ts';
import type { TokenId, UserId } from '../../domain/shared/ids.ts';
import type { CommandResult } from '../commands/command-result.ts';

/** What a token may still spend and has spent, in quota units. */
type TokenBudget = Readonly<{ unlimited: boolean; remain: number; used: number }>;

/** An account at this moment, in quota units. `tokens` holds every budget that is open. */
export type AccountSummary = Readonly<{
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
  summary(userId: UserId): Promise<AccountSummary | null>;
}
