import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import { userDecider } from '../../domain/user/decider.ts';
import { userStreamId } from '../../domain/user/stream.ts';
import type { SignInAnswer } from '../contract/second-factor.ts';
import { type Answer, okWithWords } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { RejectionCode } from '../http/rejection-messages.ts';
import { type KnownUser, loadUser } from '../user/find-user.ts';
import { createSignIn, type SignInDeps } from '../user/second-factor/sign-in.ts';
import { claimIdentity, type External, holderOf, identityFor } from './identities.ts';
import { type Arrival, createNewPeople, type NewPeopleDeps } from './new-people.ts';
import { takenRefusal } from './refusals.ts';

export type EnterDeps = NewPeopleDeps & SignInDeps;

/** The value by which clients distinguish a binding from a login. */
const bound = { zh: 'bind', en: 'bind' };

/** What follows once a provider has named the person. */
export const createEnter = (deps: EnterDeps) => {
  const newPeople = createNewPeople(deps);
  const { personalKeys } = deps;
  const signIn = createSignIn(deps);

  const open = async (
    call: Call,
    userId: UserId,
    method: string,
  ): Promise<Answer<SignInAnswer>> => {
    const user = await loadUser(deps, userId);
    return user ? signIn.begin(call, user, method) : reject('user.unknown');
  };

  const refusalOf = ({ status }: KnownUser): Rejected<RejectionCode> | null => {
    if (status === 'deleted') return reject('user.deleted');
    return status === 'banned' ? reject('user.banned') : null;
  };

  /** Only a person who is registered already. */
  const enterKnown = async (
    call: Call,
    external: External,
  ): Promise<Answer<SignInAnswer> | null> => {
    const user = await holderOf(deps, external);
    if (!user) return null;
    return refusalOf(user) ?? (await open(call, user.userId, external.provider));
  };

  return {
    enterKnown,

    async enter(call: Call, arrival: Arrival): Promise<Answer<SignInAnswer>> {
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
      const claimed = await claimIdentity(deps, call, { external, userId });
      if (claimed.kind === 'taken') return takenRefusal(external);
      const result = await call.perform(userDecider, userStreamId(userId), {
        type: 'LinkIdentity',
        data: { userId, ...identityFor(deps, external, seal) },
      });
      return result.kind === 'rejected' ? result : okWithWords(bound);
    },
  };
};

export type Enter = ReturnType<typeof createEnter>;
