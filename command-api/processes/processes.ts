import type { AccountCommand } from '../../domain/account/commands.ts';
import type { RedemptionRedeemed } from '../../domain/redemption/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { TaskFailed, TaskSettled } from '../../domain/task/events.ts';
import { tokenDecider } from '../../domain/token/decider.ts';
import type { TokenChanged, TokenCreated, TokenDeleted } from '../../domain/token/events.ts';
import { tokenStreamId } from '../../domain/token/stream.ts';
import type { TopUpPaid } from '../../domain/topup/events.ts';
import type { UserDeleted, UserRegistered } from '../../domain/user/events.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { PersonalKeys } from '../identity/personal-keys.ts';
import type { Accounts } from '../keeper/accounts.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { disableTokensOnUserDeleted } from './disable-tokens-on-user-deleted.ts';
import { grantQuotaOnRedemption } from './grant-quota-on-redemption.ts';
import { grantQuotaOnTopUpPaid } from './grant-quota-on-topup-paid.ts';
import { openAccountOnUserRegistered } from './open-account-on-user-registered.ts';
import { type Process, when } from './process.ts';
import { refundOnTaskFailed } from './refund-on-task-failed.ts';
import { refundOnTaskSettled } from './refund-on-task-settled.ts';
import {
  closeBudgetOnTokenDeleted,
  setBudgetOnTokenChanged,
  setBudgetOnTokenCreated,
} from './set-budget-on-token-events.ts';

type Deps = Readonly<{
  logger: Logger;
  commands: CommandHandler;
  accounts: Accounts;
  personalKeys: PersonalKeys;
  options: SiteOptions;
}>;

const latest = (left: bigint | null, right: bigint | null): bigint | null => {
  if (left === null || right === null) return left ?? right;
  return left > right ? left : right;
};

/** Every process of the product. A new one starts at the beginning of the log. */
export const createProcesses = (needs: Deps): readonly Process[] => {
  const { accounts, commands, options, personalKeys, logger } = needs;

  /**
   * The rules may refuse, for example a grant beyond what an account can hold; that is an outcome
   * too.
   */
  const book = async (
    command: AccountCommand,
    { position }: Pick<Recorded, 'position'>,
  ): Promise<bigint | null> => {
    const result = await accounts.execute(command, { kind: 'caused', position });
    if (result.kind === 'accepted') return result.position;
    const { type, data, metadata } = command;
    const fields = { type, userId: data.userId, code: result.code, cause: metadata.causationId };
    logger.warn(fields, 'account command rejected');
    return null;
  };

  const bookAll = async (
    payloads: readonly AccountCommand[],
    cause: Pick<Recorded, 'position'>,
  ): Promise<bigint | null> => {
    let position: bigint | null = null;
    for (const payload of payloads) position = latest(position, await book(payload, cause));
    return position;
  };

  const gifts = async () => ({
    newUser: await options.number('QuotaForNewUser'),
    invitee: await options.number('QuotaForInvitee'),
    inviter: await options.number('QuotaForInviter'),
  });

  const leave = async (recorded: Recorded<UserDeleted>): Promise<bigint | null> => {
    const { userId } = recorded.event.data;
    const account = await accounts.summary(userId);
    let position: bigint | null = null;
    for (const payload of disableTokensOnUserDeleted(recorded, account?.tokens.keys() ?? [])) {
      const streamId = tokenStreamId(payload.data.tokenId);
      const result = await commands.handle(tokenDecider, streamId, payload);
      if (result.kind === 'accepted') position = latest(position, result.position);
    }
    return position;
  };

  const erase = async ({ event: { data } }: Recorded<UserDeleted>): Promise<null> => {
    await personalKeys.destroy(data.userId);
    return null;
  };

  return [
    {
      name: 'user-accounts',
      on: when<UserRegistered>('UserRegistered', async (recorded) =>
        bookAll(openAccountOnUserRegistered(recorded, await gifts()), recorded),
      ),
    },
    {
      name: 'token-budgets',
      on: {
        ...when<TokenCreated>('TokenCreated', (made) => book(setBudgetOnTokenCreated(made), made)),
        ...when<TokenChanged>('TokenChanged', async (changed) => {
          const payload = setBudgetOnTokenChanged(changed);
          return payload === null ? null : book(payload, changed);
        }),
        ...when<TokenDeleted>('TokenDeleted', (gone) =>
          book(closeBudgetOnTokenDeleted(gone), gone),
        ),
      },
    },
    { name: 'user-departures', on: when<UserDeleted>('UserDeleted', leave) },
    // With a separate checkpoint: what keeps the one above from advancing does not delay the
    // erasure.
    { name: 'personal-key-erasure', on: when<UserDeleted>('UserDeleted', erase) },
    {
      name: 'redemption-credits',
      on: when<RedemptionRedeemed>('RedemptionRedeemed', (redeemed) =>
        book(grantQuotaOnRedemption(redeemed), redeemed),
      ),
    },
    {
      name: 'topup-credits',
      on: when<TopUpPaid>('TopUpPaid', (paid) => book(grantQuotaOnTopUpPaid(paid), paid)),
    },
    {
      name: 'task-refunds',
      on: {
        ...when<TaskFailed>('TaskFailed', async (failed) => {
          const payload = refundOnTaskFailed(failed);
          return payload === null ? null : book(payload, failed);
        }),
        ...when<TaskSettled>('TaskSettled', async (settled) => {
          const payload = refundOnTaskSettled(settled);
          return payload === null ? null : book(payload, settled);
        }),
      },
    },
  ];
};
