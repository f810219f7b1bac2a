import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import { userDecider } from '../../domain/user/decider.ts';
import { userStreamId } from '../../domain/user/stream.ts';
import { type Answer, okWithWords } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { RejectionCode } from '../http/rejection-messages.ts';
import type { Services } from '../services.ts';
import { type KnownUser, loadUser } from '../user/find-user.ts';
import { createSignIn } from '../user/second-factor/sign-in.ts';
import { claimIdentity, type External, holderOf, identityFor } from './identities.ts';
import { type Arrival, createNewPeople } from './new-people.ts';
import { takenRefusal } from './refusals.ts';

/** The word that tells clients a binding from a login. */
const bound = { zh: 'bind', en: 'bind' };

/** What follows once a provider has said who somebody is. */
export const createEnter = (services: Services) => {
  const newPeople = createNewPeople(services);
  const { personalKeys } = services;
  const signIn = createSignIn(services);

  const open = async (call: Call, userId: UserId, method: string): Promise<Answer> => {
    const user = await loadUser(services, userId);
    return user ? signIn.begin(call, user, method) : reject('user.unknown');
  };

  const refusalOf = ({ status }: KnownUser): Rejected<RejectionCode> | null => {
    if (status === 'deleted') return reject('user.deleted');
    return status === 'banned' ? reject('user.banned') : null;
  };

  /** Only somebody who is known already. */
  const enterKnown = async (call: Call, external: External): Promise<Answer | null> => {
    const user = await holderOf(services, external);
    if (!user) return null;
    return refusalOf(user) ?? (await open(call, user.userId, external.provider));
  };

  return {
    enterKnown,

    async enter(call: Call, arrival: Arrival): Promise<Answer> {
      const known = await enterKnown(call, arrival.external);
      if (known) return known;
      const made = await newPeople(call, arrival);
      return typeof made === 'number' ? open(call, made, arrival.external.provider) : made;
    },

    async bind(
      call: Call,
      { external, userId }: Readonly<{ external: External; userId: UserId }>,
    ): Promise<Answer> {
      const seal = await personalKeys.get(userId);
      if (!seal) return reject('user.deleted');
      const claimed = await claimIdentity(services, call, { external, userId });
      if (claimed.kind === 'taken') return takenRefusal(external);
      const result = await call.perform(userDecider, userStreamId(userId), {
        type: 'LinkIdentity',
        data: { userId, ...identityFor(services, external, seal) },
      });
      return result.kind === 'rejected' ? result : okWithWords(bound);
    },
  };
};

export type Enter = ReturnType<typeof createEnter>;
