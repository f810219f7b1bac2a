import type { ActingAs } from '../../domain/access/roles.ts';
import { reject } from '../../domain/shared/decider.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import { userDecider } from '../../domain/user/decider.ts';
import { userStreamId } from '../../domain/user/stream.ts';
import { usernameField } from '../contract/fields.ts';
import { type Answer, ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { derivedMetadata } from '../metadata.ts';
import type { Services } from '../services.ts';
import { loadUser, usernameClaim } from './find-user.ts';

/** "" leaves a field as it is. */
type Profile = Readonly<{
  userId: UserId;
  actorRole: ActingAs;
  username: string;
  displayName: string;
}>;

/**
 * A new name is claimed before it is taken. The old one stays with its owner, so that nobody can
 * pass for them.
 */
export const changeProfile = async (
  services: Services,
  call: Call,
  { userId, actorRole, username, displayName }: Profile,
): Promise<Answer> => {
  const user = await loadUser(services, userId);
  if (!user) return reject('user.unknown');
  const isNewName = username !== '' && username !== user.username;
  if (isNewName) {
    const name = usernameField.safeParse(username);
    if (!name.success) return reject('user.name-invalid', { max: 12 });
    const claimed = await services.claims.claim(
      {
        kind: 'username',
        streamId: usernameClaim(services.vault, username),
        ownerId: userId,
        ownerStreamId: userStreamId(userId),
      },
      derivedMetadata(call.metadata, 'username'),
    );
    if (claimed.kind === 'taken') return reject('user.name-taken');
  }
  const seal = await services.personalKeys.get(userId);
  if (!seal) return reject('user.deleted');
  // Sealed text differs each time, so a name that is as it was would look like a change.
  const isNewDisplayName =
    displayName !== '' && displayName !== seal.unseal(user.displayName, 'display-name');
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
