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

/**
 * What bounds the search for an earlier attempt at a command, once the account no longer remembers
 * its id. Clocks bound nothing: they may be hours off, and a process stamps what it does with the
 * time of its cause. Places in the log do: an effect is later than its cause.
 */
export type CommandOrigin =
  /** `position`: of an event that precedes every effect of the command. */
  | Readonly<{ kind: 'caused'; position: bigint }>
  /** Its id was made for this call and given to no one, so there was no earlier attempt. */
  | Readonly<{ kind: 'unrepeatable' }>
  /** Searched for in the whole stream. */
  | Readonly<{ kind: 'unknown' }>;

/** The keeper of accounts, as routes and processes see it. */
export interface Accounts {
  /** Idempotent by `metadata.commandId`; the same command twice moves money once. */
  execute(
    command: AccountCommand,
    origin?: CommandOrigin,
  ): Promise<CommandResult<AccountEvent, AccountRejection>>;
  /** null: no such account yet. */
  summary(userId: UserId): Promise<AccountSummary | null>;
}
