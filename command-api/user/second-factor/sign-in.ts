import { reject } from '../../../domain/shared/decider.ts';
import type { FactorMethod } from '../../../domain/user/events.ts';
import { factorProofBody } from '../../contract/second-factor.ts';
import { type Answer, ok } from '../../http/answer.ts';
import { createBrowserMark } from '../../http/browser-mark.ts';
import type { Call } from '../../http/call.ts';
import { createConfirmations } from '../../http/step-up.ts';
import type { Services } from '../../services.ts';
import { type KnownUser, loadUser } from '../find-user.ts';
import { createSessions } from '../sessions.ts';
import { signedInUser } from '../wire.ts';
import { challengeLifeSeconds, createChallenges } from './challenges.ts';
import { createProofs } from './proofs.ts';

type Proven = Readonly<{ user: KnownUser; method: string; secondFactor?: FactorMethod }>;

/** Every way to sign in ends here: with a session, or with the question for a second factor. */
export const createSignIn = (services: Services) => {
  const { personalKeys } = services;
  const sessions = createSessions(services);
  const challenges = createChallenges(services);
  const proofs = createProofs(services, challenges);
  const confirmations = createConfirmations(services);
  const mark = createBrowserMark(services, {
    name: 'second-factor',
    path: '/api/user/login',
    maxAgeSeconds: challengeLifeSeconds,
  });

  const open = async (call: Call, { user: { userId }, ...how }: Proven): Promise<Answer> => {
    const opened = await sessions.open(call, { userId, ...how });
    if (opened.kind === 'rejected') return opened;
    const proof = how.secondFactor ? 'second-factor' : 'first-factor';
    await confirmations.note(opened.sessionId, proof);
    return ok(signedInUser(opened.user, await personalKeys.get(userId)));
  };

  return {
    /** After the first step. Nothing is opened for whoever has a second factor. */
    async begin(call: Call, user: KnownUser, method: string): Promise<Answer> {
      if (!proofs.isNeeded(user)) return open(call, { user, method });
      const boundTo = await mark.give(call);
      const asked = await proofs.ask(call, user, { purpose: 'sign-in', boundTo, detail: method });
      return ok({ second_factor: asked });
    },

    /** The second step, in the browser that did the first one. */
    async complete(call: Call): Promise<Answer> {
      const proof = call.body(factorProofBody);
      const purpose = 'sign-in';
      const challenge = challenges.open(proof.token, { purpose, boundTo: mark.read(call) });
      const user = challenge && (await loadUser(services, challenge.userId));
      if (!challenge || !user || user.sessionEpoch !== challenge.epoch) {
        return reject('auth.second-factor-expired');
      }
      if (user.status !== 'active') return reject('auth.wrong-credentials');
      const refused = await proofs.verify(call, user, { challenge, purpose, proof });
      if (refused) return refused;
      await call.giveBackAttempt();
      return open(call, { user, method: challenge.detail, secondFactor: proof.method });
    },
  };
};
