import type { UserId } from '../../domain/shared/ids.ts';
import type { Identity } from '../../domain/user/commands.ts';
import type { IdentityProvider } from '../../domain/user/events.ts';
import { identityClaimStreamId, userStreamId } from '../../domain/user/stream.ts';
import type { PersonalSeal } from '../../infra/ports/vault.ts';
import type { ClaimAnswer } from '../claims.ts';
import type { Call } from '../http/call.ts';
import { derivedMetadata } from '../metadata.ts';
import type { Services } from '../services.ts';
import { type KnownUser, loadUser } from '../user/find-user.ts';

/** An account with a login provider. */
export type External = Readonly<{
  provider: Exclude<IdentityProvider, 'email'>;
  externalId: string;
  label: string | null;
}>;

type Needs = Pick<Services, 'claims' | 'commands' | 'vault'>;

const hashOf = ({ vault }: Needs, { provider, externalId }: External): string =>
  vault.claimHash(provider, externalId);

const holds = (user: KnownUser | null, hash: string): boolean =>
  user?.identities.some(({ identityHash }) => identityHash === hash) ?? false;

/** Who signs in by this account; null: nobody, or somebody who has unlinked it. */
export const holderOf = async (services: Needs, external: External): Promise<KnownUser | null> => {
  const hash = hashOf(services, external);
  const owner = await services.claims.owner(identityClaimStreamId(hash));
  const user = owner === null ? null : await loadUser(services, owner);
  return holds(user, hash) ? user : null;
};

/** An account stays with who is linked to it, also after they have left. */
export const claimIdentity = (
  services: Needs,
  call: Call,
  { external, userId }: Readonly<{ external: External; userId: UserId }>,
): Promise<ClaimAnswer> => {
  const hash = hashOf(services, external);
  return services.claims.claim(
    {
      kind: external.provider,
      streamId: identityClaimStreamId(hash),
      ownerId: userId,
      ownerStreamId: userStreamId(userId),
    },
    derivedMetadata(call.metadata, `identity/${external.provider}`),
    async (owner) => {
      const user = await loadUser(services, owner);
      return user !== null && !holds(user, hash);
    },
  );
};

export const identityFor = (
  services: Needs,
  external: External,
  { seal }: PersonalSeal,
): Identity => ({
  provider: external.provider,
  externalId: seal(external.externalId, `identity/${external.provider}`),
  identityHash: hashOf(services, external),
  ...(external.label === null
    ? {}
    : { label: seal(external.label, `identity-label/${external.provider}`) }),
});
