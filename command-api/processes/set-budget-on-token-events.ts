import type { CloseTokenBudget, SetTokenBudget } from '../../domain/account/commands.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { TokenChanged, TokenCreated, TokenDeleted } from '../../domain/token/events.ts';
import { causedBy } from './process.ts';

/** When a token was made, let it spend what its owner set. */
export const setBudgetOnTokenCreated = (recorded: Recorded<TokenCreated>): SetTokenBudget => {
  const { userId, tokenId, terms } = recorded.event.data;
  const { unlimitedQuota: unlimited, remainQuota: remain } = terms;
  return {
    type: 'SetTokenBudget',
    data: { userId, tokenId, unlimited, remain },
    metadata: causedBy(recorded, 'set-budget'),
  };
};

/** When its owner set a new figure, that holds from now on. null: another term was changed. */
export const setBudgetOnTokenChanged = (
  recorded: Recorded<TokenChanged>,
): SetTokenBudget | null => {
  const { userId, tokenId, terms, setsBudget } = recorded.event.data;
  if (setsBudget !== true) return null;
  const { unlimitedQuota: unlimited, remainQuota: remain } = terms;
  return {
    type: 'SetTokenBudget',
    data: { userId, tokenId, unlimited, remain },
    metadata: causedBy(recorded, 'set-budget'),
  };
};

/** When a token is gone, it spends no more. */
export const closeBudgetOnTokenDeleted = (recorded: Recorded<TokenDeleted>): CloseTokenBudget => {
  const { userId, tokenId } = recorded.event.data;
  return {
    type: 'CloseTokenBudget',
    data: { userId, tokenId },
    metadata: causedBy(recorded, 'close-budget'),
  };
};
