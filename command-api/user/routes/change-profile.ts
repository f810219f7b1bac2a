import type { ActingAs } from '../../../domain/access/roles.ts';
import { type Rejected, reject } from '../../../domain/shared/decider.ts';
import type { UserId } from '../../../domain/shared/ids.ts';
import { userDecider } from '../../../domain/user/decider.ts';
import { userStreamId } from '../../../domain/user/stream.ts';
import type { Vault } from '../../../infra/ports/vault.ts';
import type { CommandHandler } from '../../commands/handle-command.ts';
import { usernameField } from '../../contract/fields.ts';
import { type Answer, ok } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { RejectionCode } from '../../http/rejection-messages.ts';
import type { Claims } from '../../identity/claims.ts';
import type { PersonalKeys } from '../../identity/personal-keys.ts';
import { derivedMetadata } from '../../shared/metadata.ts';
import { loadUser, usernameClaim } from '../find-user.ts';
import { claimLooks, displayNameHasInvisible, hasInvisible, looksLikeAnother } from '../names.ts';

export type ChangeProfileDeps = Readonly<{
  vault: Vault;
  commands: CommandHandler;
  claims: Claims;
  personalKeys: PersonalKeys;
}>;

/** "" leaves a field as it is. */
type Profile = Readonly<{
  userId: UserId;
  actorRole: ActingAs;
  username: string;
  displayName: string;
}>;

type Refused = Rejected<RejectionCode>;

/**
 * A new name is claimed before it is taken. The old one stays with its owner, so that no one can
 * impersonate them. Look-alikes are checked first: a claim of an existing user is never given back.
 */
const claimName = async (
  deps: Pick<ChangeProfileDeps, 'vault' | 'commands' | 'claims'>,
  call: Call,
  { userId, username }: Pick<Profile, 'userId' | 'username'>,
): Promise<Refused | null> => {
  if (!usernameField.safeParse(username).success) return reject('user.name-invalid', { max: 12 });
  if (hasInvisible(username)) return reject('user.name-invisible');
  const { claims, vault } = deps;
  const streamId = usernameClaim(vault, username);
  const lookalike = reject('user.name-lookalike');
  const isFree = (await claims.owner(streamId)) === null;
  if (isFree && (await looksLikeAnother(deps, username, userId))) return lookalike;
  const claimed = await claims.claim(
    { kind: 'username', streamId, ownerId: userId, ownerStreamId: userStreamId(userId) },
    derivedMetadata(call.metadata, 'username'),
  );
  if (claimed.kind === 'taken') return reject('user.name-taken');
  return (await claimLooks(deps, { userId, username }, call.metadata)) ? null : lookalike;
};

const displayNameProblem = async (
  deps: Pick<ChangeProfileDeps, 'vault' | 'commands' | 'claims'>,
  { userId, displayName }: Pick<Profile, 'userId' | 'displayName'>,
): Promise<Refused | null> => {
  if (displayNameHasInvisible(displayName)) return reject('user.name-invisible');
  const isLike = await looksLikeAnother(deps, displayName, userId);
  return isLike ? reject('user.name-lookalike') : null;
};

export const changeProfile = async (
  deps: ChangeProfileDeps,
  call: Call,
  { userId, actorRole, username, displayName }: Profile,
): Promise<Answer> => {
  const user = await loadUser(deps, userId);
  if (!user) return reject('user.unknown');
  const seal = await deps.personalKeys.get(userId);
  if (!seal) return reject('user.deleted');
  const isNewName = username !== '' && username !== user.username;
  // Sealed text differs each time, so an unchanged name would appear as a change.
  const isNewDisplayName =
    displayName !== '' && displayName !== seal.unseal(user.displayName, 'display-name');
  const shown = isNewDisplayName ? { userId, displayName } : null;
  const refused = shown && (await displayNameProblem(deps, shown));
  if (refused) return refused;
  const unclaimed = isNewName ? await claimName(deps, call, { userId, username }) : null;
  if (unclaimed) return unclaimed;
  const result = await call.perform(userDecider, userStreamId(userId), {
    type: 'ChangeProfile',
    data: {
      userId,
      actorRole,
      username: isNewName ? username : null,
      displayName: isNewDisplayName ? seal.seal(displayName, 'display-name') : null,
    },
  });
  return result.kind === 'rejected' ? result : ok();
};
