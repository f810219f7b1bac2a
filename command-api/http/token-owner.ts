import type { UserId } from '../../domain/shared/ids.ts';
import { userDecider } from '../../domain/user/decider.ts';
import { accessTokenClaimStreamId, userStreamId } from '../../domain/user/stream.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { Claims } from '../identity/claims.ts';

type Deps = Readonly<{
  commands: CommandHandler;
  claims: Claims;
}>;

/** The owner of the access token with this hash, as of now; null when it opens nothing. */
export const createTokenOwner =
  ({ claims, commands }: Deps) =>
  async (hash: string): Promise<UserId | null> => {
    const owner = await claims.owner(accessTokenClaimStreamId(hash));
    if (owner === null) return null;
    const { state } = await commands.load(userDecider, userStreamId(owner));
    return state.status === 'active' && state.accessTokenHash === hash ? owner : null;
  };
