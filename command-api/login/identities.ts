import type { UserId } from '../../domain/shared/ids.ts';
import type { Identity } from '../../domain/user/commands.ts';
import type { IdentityProvider } from '../../domain/user/events.ts';
import { identityClaimStreamId, userStreamId } from '../../domain/user/stream.ts';
import type { PersonalSeal, Vault } from '../../infra/ports/vault.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { Call } from '../http/call.ts';
import type { ClaimAnswer, Claims } from '../identity/claims.ts';
import { derivedMetadata } from '../shared/metadata.ts';
import { type KnownUser, loadUser } from '../user/find-user.ts';

type Deps = Readonly<{
  vault: Vault;
  commands: CommandHandler;
  claims: Claims;
}>;

/** An account with a login provider. */
export type External = Readonly<{
  provider: Exclude<IdentityProvider, 'email'>;
  externalId: string;
  label: string | null;
}>;

const hashOf = ({ vault }: Deps, { provider, externalId }: External): string =>
  vault.claimHash(provider, externalId);

const holds = (user: KnownUser | null, hash: string): boolean =>
  user?.identities.some(({ identityHash }) => identityHash === hash) ?? false;

/** Who signs in by this account; null: no user, or one who has unlinked it. */
export const holderOf = async (deps: Deps, external: External): Promise<KnownUser | null> => {
  const hash = hashOf(deps, external);
  const owner = await deps.claims.owner(identityClaimStreamId(hash));
  const user = owner === null ? null : await loadUser(deps, owner);
  return holds(user, hash) ? user : null;
};

/** An account stays with who is linked to it, also after they have left. */
export const claimIdentity = (
  deps: Deps,
  call: Call,
  { external, userId }: Readonly<{ external: External; userId: UserId }>,
): Promise<ClaimAnswer> => {
  const hash = hashOf(deps, external);
  return deps.claims.claim(
    {
      kind: external.provider,
      streamId: identityClaimStreamId(hash),
      ownerId: userId,
      ownerStreamId: userStreamId(userId),
    },
    derivedMetadata(call.metadata, `identity/${external.provider}`),
    async (owner) => {
      const user = await loadUser(deps, owner);
      return user !== null && !holds(user, hash);
    },
  );
};

export const identityFor = (deps: Deps, external: External, { seal }: PersonalSeal): Identity => ({
  provider: external.provider,
  externalId: seal(external.externalId, `identity/${external.provider}`),
  identityHash: hashOf(deps, external),
  ...(external.label === null
    ? {}
    : { label: seal(external.label, `identity-label/${external.provider}`) }),
});
