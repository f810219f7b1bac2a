import type { Recorded } from '../../domain/shared/event.ts';
import type { TokenId } from '../../domain/shared/ids.ts';
import type { DisableToken } from '../../domain/token/commands.ts';
import type { UserDeleted } from '../../domain/user/events.ts';
import { causedBy } from './process.ts';

/** When a user leaves, disable their tokens. `tokenIds`: those with a budget in the account. */
export const disableTokensOnUserDeleted = (
  recorded: Recorded<UserDeleted>,
  tokenIds: Iterable<TokenId>,
): readonly DisableToken[] => {
  const { userId } = recorded.event.data;
  return [...tokenIds].map((tokenId) => ({
    type: 'DisableToken',
    data: { tokenId, userId },
    metadata: causedBy(recorded, `disable-token-${tokenId}`),
  }));
};
