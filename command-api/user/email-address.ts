import { optionIsOn, optionList } from '../../domain/option/read.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import { emailField as sealedEmailField } from '../../domain/shared/sealed.ts';
import type { Identity } from '../../domain/user/commands.ts';
import { userStreamId } from '../../domain/user/stream.ts';
import type { PersonalSeal, Vault } from '../../infra/ports/vault.ts';
import type { Claim } from '../claims.ts';
import { emailField } from '../contract/fields.ts';
import type { Services } from '../services.ts';
import { emailClaim, foldName, loadUser } from './find-user.ts';

export type AddressProblem =
  | 'user.email-invalid'
  | 'user.email-domain-not-allowed'
  | 'user.email-alias-not-allowed';

/** May somebody come with this address? The operator's rules (console sheet, section 5.5). */
export const addressProblem = async (
  { options }: Pick<Services, 'options'>,
  address: string,
): Promise<AddressProblem | null> => {
  if (!emailField.safeParse(address).success) return 'user.email-invalid';
  const [local = '', domain = ''] = address.split('@');
  const { options: stored } = await options.state();
  if (optionIsOn(stored, 'EmailDomainRestrictionEnabled')) {
    const allowed = optionList(stored, 'EmailDomainWhitelist').map((entry) => entry.toLowerCase());
    if (!allowed.includes(domain.toLowerCase())) return 'user.email-domain-not-allowed';
  }
  const isAlias = /[+.]/.test(local);
  return isAlias && optionIsOn(stored, 'EmailAliasRestrictionEnabled')
    ? 'user.email-alias-not-allowed'
    : null;
};

/** An address stays with its owner, also after they have left or taken another one. */
export const isAddressTaken = async (
  services: Pick<Services, 'claims' | 'commands' | 'vault'>,
  address: string,
  by?: UserId,
): Promise<boolean> => {
  const owner = await services.claims.owner(emailClaim(services.vault, address));
  if (owner === null || owner === by) return false;
  return (await loadUser(services, owner)) !== null;
};

export const addressClaim = (vault: Vault, address: string, ownerId: UserId): Claim => ({
  kind: 'email',
  streamId: emailClaim(vault, address),
  ownerId,
  ownerStreamId: userStreamId(ownerId),
});

export const addressIdentity = (vault: Vault, address: string, seal: PersonalSeal): Identity => ({
  provider: 'email',
  externalId: seal.seal(address, sealedEmailField),
  identityHash: vault.claimHash('email', foldName(address)),
});
