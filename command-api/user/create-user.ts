import { createHash } from 'node:crypto';
import type { Role } from '../../domain/access/roles.ts';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Identity } from '../../domain/user/commands.ts';
import { type UserRejection, userDecider } from '../../domain/user/decider.ts';
import type { UserEvent } from '../../domain/user/events.ts';
import { affCodeClaimStreamId, userStreamId } from '../../domain/user/stream.ts';
import type { PersonalSeal, Vault } from '../../infra/ports/vault.ts';
import type { Committed, HandlerRejection } from '../commands/command-result.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { Call } from '../http/call.ts';
import type { Claims } from '../identity/claims.ts';
import type { PersonalKeys } from '../identity/personal-keys.ts';
import type { NewId } from '../identity/repeatable-ids.ts';
import { derivedMetadata } from '../shared/metadata.ts';
import { addressClaim, addressIdentity } from './email-address.ts';
import { usernameClaim } from './find-user.ts';
import { claimNewLooks, displayNameHasInvisible, hasInvisible, type NameProblem } from './names.ts';
import { hashPassword, type PasswordProblem, passwordProblem } from './passwords.ts';

export type NewUserDeps = Readonly<{
  vault: Vault;
  commands: CommandHandler;
  newId: NewId;
  claims: Claims;
  personalKeys: PersonalKeys;
}>;

export type NewUser = Readonly<{
  username: string;
  /** null: the person signed up by a login provider. */
  password: string | null;
  displayName: string;
  role: Role;
  inviterId: UserId | null;
  /** Proven to be theirs. */
  email?: string;
  /** Given by who claims something for the person first: the place of the super admin, an identity. */
  userId?: UserId;
  /** An account with a login provider, claimed already. */
  identityOf?: (seal: PersonalSeal) => Identity;
}>;

type Created = Committed<UserEvent> & Readonly<{ userId: UserId }>;
type Refused = Rejected<
  | UserRejection
  | HandlerRejection
  | NameProblem
  | PasswordProblem
  | 'user.name-taken'
  | 'user.email-taken'
>;

const affCodeLength = 4;
const affCodeAttempts = 20;
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Derived from the command id, so that a repeat does not claim another code. */
const affCodeFrom = (commandId: string, nth: number): string =>
  [...createHash('sha256').update(`${commandId}/aff/${nth}`).digest().subarray(0, affCodeLength)]
    .map((byte) => alphabet[byte % alphabet.length])
    .join('');

const claimAffCode = async (
  { claims }: Pick<NewUserDeps, 'claims'>,
  { metadata }: Call,
  userId: UserId,
): Promise<string> => {
  for (let nth = 0; nth < affCodeAttempts; nth += 1) {
    const code = affCodeFrom(metadata.commandId, nth);
    const answer = await claims.claim(
      {
        kind: 'affCode',
        streamId: affCodeClaimStreamId(code),
        ownerId: userId,
        ownerStreamId: userStreamId(userId),
      },
      derivedMetadata(metadata, `aff/${nth}`),
    );
    if (answer.kind !== 'taken') return code;
  }
  throw new Error(`no free referral code in ${affCodeAttempts} attempts`);
};

/** What is wrong with it by itself. */
const problemOf = async ({
  username,
  displayName,
  password,
  role,
}: NewUser): Promise<NameProblem | PasswordProblem | null> => {
  const hasHidden = hasInvisible(username) || displayNameHasInvisible(displayName);
  if (hasHidden) return 'user.name-invisible';
  return password === null ? null : passwordProblem(password, role);
};

/** Claims what is unique: the name, its look-alike form, the address. */
const claimAll = async (
  deps: Pick<NewUserDeps, 'vault' | 'commands' | 'claims'>,
  { metadata }: Call,
  { username, displayName, email, ownerId }: NewUser & Readonly<{ ownerId: UserId }>,
): Promise<UserId | Refused> => {
  const { claims, vault } = deps;
  const ownerStreamId = userStreamId(ownerId);
  const claimed = await claims.claim(
    { kind: 'username', streamId: usernameClaim(vault, username), ownerId, ownerStreamId },
    derivedMetadata(metadata, 'username'),
  );
  if (claimed.kind === 'taken') return reject('user.name-taken');
  const userId = claimed.kind === 'repeated' ? claimed.ownerId : ownerId;
  const problem = await claimNewLooks(deps, { username, displayName, userId }, metadata);
  if (problem !== null) return reject(problem);
  if (email === undefined) return userId;
  const address = addressClaim(vault, email, userId);
  const answer = await claims.claim(address, derivedMetadata(metadata, 'email'));
  return answer.kind === 'taken' ? reject('user.email-taken') : userId;
};

/** Claims the name, makes the personal key, registers. A crash in between leaves no user. */
export const createUser = async (
  deps: NewUserDeps,
  call: Call,
  user: NewUser,
): Promise<Created | Refused> => {
  const { personalKeys, newId, vault } = deps;
  const problem = await problemOf(user);
  if (problem !== null) return reject(problem);
  const ownerId = user.userId ?? (await newId('user', call));
  const userId = await claimAll(deps, call, { ...user, ownerId });
  if (typeof userId !== 'number') return userId;
  const { username, displayName, email, password } = user;
  const seal = await personalKeys.create(userId, derivedMetadata(call.metadata, 'personal-key'));
  const affCode = await claimAffCode(deps, call, userId);
  const address = email === undefined ? null : addressIdentity(vault, email, seal);
  const identity = user.identityOf?.(seal) ?? null;
  const result = await call.perform(userDecider, userStreamId(userId), {
    type: 'RegisterUser',
    data: {
      userId,
      username,
      displayName: seal.seal(displayName === '' ? username : displayName, 'display-name'),
      email: address?.externalId ?? null,
      passwordHash: password === null ? null : await hashPassword(password),
      role: user.role,
      group: 'default',
      affCode,
      inviterId: user.inviterId,
      identities: [address, identity].filter((one) => one !== null),
    },
  });
  return result.kind === 'rejected' ? result : { ...result, userId };
};
