import { optionIsOn, optionList } from '../../domain/option/read.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import { emailField as sealedEmailField } from '../../domain/shared/sealed.ts';
import type { Identity } from '../../domain/user/commands.ts';
import { userStreamId } from '../../domain/user/stream.ts';
import type { PersonalSeal, Vault } from '../../infra/ports/vault.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import { emailField } from '../contract/fields.ts';
import type { Claim, Claims } from '../identity/claims.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { emailClaim, foldName, loadUser } from './find-user.ts';

type Deps = Readonly<{
  vault: Vault;
  commands: CommandHandler;
  claims: Claims;
  options: SiteOptions;
}>;

export type AddressProblem =
  | 'user.email-invalid'
  | 'user.email-domain-not-allowed'
  | 'user.email-alias-not-allowed';

/** Does the address keep the operator's rules? */
export const addressProblem = async (
  { options }: Pick<Deps, 'options'>,
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
  deps: Pick<Deps, 'vault' | 'commands' | 'claims'>,
  address: string,
  by?: UserId,
): Promise<boolean> => {
  const owner = await deps.claims.owner(emailClaim(deps.vault, address));
  if (owner === null || owner === by) return false;
  return (await loadUser(deps, owner)) !== null;
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
