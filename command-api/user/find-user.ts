import type { UserId } from '../../domain/shared/ids.ts';
import { type UserState, userDecider } from '../../domain/user/decider.ts';
import {
  affCodeClaimStreamId,
  identityClaimStreamId,
  usernameClaimStreamId,
  userStreamId,
} from '../../domain/user/stream.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { Claims } from '../identity/claims.ts';

type Deps = Readonly<{
  vault: Vault;
  commands: CommandHandler;
  claims: Claims;
}>;

export type KnownUser = Exclude<UserState, { status: 'absent' }>;

/** Names that people cannot distinguish are one name: case and compatibility forms are folded. */
export const foldName = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

export const usernameClaim = (vault: Vault, username: string): string =>
  usernameClaimStreamId(vault.claimHash('username', foldName(username)));

export const emailClaim = (vault: Vault, address: string): string =>
  identityClaimStreamId(vault.claimHash('email', foldName(address)));

export const loadUser = async (
  { commands }: Pick<Deps, 'commands'>,
  userId: UserId,
): Promise<KnownUser | null> => {
  const { state } = await commands.load(userDecider, userStreamId(userId));
  return state.status === 'absent' ? null : state;
};

/** By user name or e-mail address. A name that its owner has given up finds no user. */
export const findUser = async (
  { claims, commands, vault }: Deps,
  nameOrAddress: string,
): Promise<KnownUser | null> => {
  const byName = !nameOrAddress.includes('@');
  const claim = (byName ? usernameClaim : emailClaim)(vault, nameOrAddress);
  const owner = await claims.owner(claim);
  const user = owner === null ? null : await loadUser({ commands }, owner);
  if (!user || user.status === 'deleted') return null;
  if (byName) return foldName(user.username) === foldName(nameOrAddress) ? user : null;
  const identityHash = vault.claimHash('email', foldName(nameOrAddress));
  const isTheirs = user.identities.some((identity) => identity.identityHash === identityHash);
  return isTheirs ? user : null;
};

/** By referral code. Unknown codes, and those of deleted users, are silently ignored. */
export const findInviter = async (
  { claims, commands }: Pick<Deps, 'commands' | 'claims'>,
  code: string | null | undefined,
): Promise<UserId | null> => {
  if (!code || !/^[0-9a-zA-Z]{1,32}$/.test(code)) return null;
  const owner = await claims.owner(affCodeClaimStreamId(code));
  const user = owner === null ? null : await loadUser({ commands }, owner);
  return user?.status === 'active' && user.affCode === code ? user.userId : null;
};
