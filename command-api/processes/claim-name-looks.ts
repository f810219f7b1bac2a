import type { Recorded } from '../../domain/shared/event.ts';
import type { UserProfileChanged, UserRegistered } from '../../domain/user/events.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { Claims } from '../identity/claims.ts';
import { claimLooks } from '../user/names.ts';
import { causedBy, type Process, when } from './process.ts';

type Deps = Readonly<{
  vault: Vault;
  claims: Claims;
}>;

/**
 * When a user has a name, claim its look-alike form. New names are claimed before they are given;
 * this claims older ones, in the order of the log, and takes no name away.
 */
export const createNameLooksProcess = (deps: Deps): Process => {
  const claim = async (
    recorded: Recorded<UserRegistered | UserProfileChanged>,
  ): Promise<bigint | null> => {
    const { userId, username } = recorded.event.data;
    // A sealed name is of today.
    if (username === '') return null;
    await claimLooks(deps, { userId, username }, causedBy(recorded, 'claim-name-looks'));
    return null;
  };
  return {
    name: 'name-looks',
    on: {
      ...when<UserRegistered>('UserRegistered', claim),
      ...when<UserProfileChanged>('UserProfileChanged', claim),
    },
    aside: { concerns: () => true, isBusy: () => false },
  };
};
