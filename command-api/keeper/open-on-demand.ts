import type { AccountCommand } from '../../domain/account/commands.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import { derivedMetadata } from '../shared/metadata.ts';
import type { Accounts, CommandOrigin } from './accounts.ts';

/**
 * A process opens the account of a new user, and commands for it may arrive sooner: they open it
 * themselves. Opening is idempotent, so the process finds nothing left to do.
 */
export const openOnDemand = (
  accounts: Accounts,
  isUser: (userId: UserId) => Promise<boolean>,
): Accounts => ({
  summary: (userId) => accounts.summary(userId),
  async execute(command: AccountCommand, origin?: CommandOrigin) {
    const result = await accounts.execute(command, origin);
    if (result.kind !== 'rejected' || result.code !== 'account.not-open') return result;
    const { userId } = command.data;
    if (!(await isUser(userId))) return result;
    const metadata = derivedMetadata(command.metadata, 'open-account');
    await accounts.execute({ type: 'OpenAccount', data: { userId }, metadata });
    return accounts.execute(command, origin);
  },
});
