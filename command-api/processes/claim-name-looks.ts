import type { Recorded } from '../../domain/shared/event.ts';
import type { UserProfileChanged, UserRegistered } from '../../domain/user/events.ts';
import type { Services } from '../services.ts';
import { claimLooks } from '../user/names.ts';
import { causedBy, type Process, when } from './process.ts';

/**
 * When somebody has a name, claim what it looks like. Names of today are claimed before they are
 * given; this claims those of before, whoever comes first, and takes no name from anybody.
 */
export const createNameLooksProcess = (services: Pick<Services, 'claims' | 'vault'>): Process => {
  const claim = async (
    recorded: Recorded<UserRegistered | UserProfileChanged>,
  ): Promise<bigint | null> => {
    const { userId, username } = recorded.event.data;
    // A sealed name is of today.
    if (username === '') return null;
    await claimLooks(services, { userId, username }, causedBy(recorded, 'claim-name-looks'));
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
