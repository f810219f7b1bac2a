import { reject } from '../../../domain/shared/decider.ts';
import type { FactorMethod } from '../../../domain/user/events.ts';
import type { SignedInUser, SignInAnswer } from '../../contract/second-factor.ts';
import { type Answer, ok } from '../../http/answer.ts';
import { createBrowserMark } from '../../http/browser-mark.ts';
import type { Call } from '../../http/call.ts';
import type { CallTo } from '../../http/routes.ts';
import { createConfirmations } from '../../http/step-up.ts';
import { type KnownUser, loadUser } from '../find-user.ts';
import type { SessionDeps } from '../sessions.ts';
import { createSessions } from '../sessions.ts';
import { signedInUser } from '../wire.ts';
import { challengeTtlSeconds, createChallenges } from './challenges.ts';
import type { ProofDeps } from './proofs.ts';
import { createProofs } from './proofs.ts';

export type SignInDeps = SessionDeps & ProofDeps;

type Proven = Readonly<{ user: KnownUser; method: string; secondFactor?: FactorMethod }>;

/** Every way to sign in ends here: with a session, or with the question for a second factor. */
export const createSignIn = (deps: SignInDeps) => {
  const { personalKeys } = deps;
  const sessions = createSessions(deps);
  const challenges = createChallenges(deps);
  const proofs = createProofs(deps, challenges);
  const confirmations = createConfirmations(deps);
  const mark = createBrowserMark(deps, {
    name: 'second-factor',
    path: '/api/user/login',
    maxAgeSeconds: challengeTtlSeconds,
  });

  const open = async (
    call: Call,
    { user: { userId }, ...how }: Proven,
  ): Promise<Answer<SignedInUser>> => {
    const opened = await sessions.open(call, { userId, ...how });
    if (opened.kind === 'rejected') return opened;
    const proof = how.secondFactor ? 'second-factor' : 'first-factor';
    await confirmations.note(opened.sessionId, proof);
    return ok(signedInUser(opened.user, await personalKeys.get(userId)));
  };

  return {
    /** After the first step. Nothing is opened for a user with a second factor. */
    async begin(call: Call, user: KnownUser, method: string): Promise<Answer<SignInAnswer>> {
      if (!proofs.isNeeded(user)) return open(call, { user, method });
      const boundTo = await mark.give(call);
      const asked = await proofs.ask(call, user, { purpose: 'sign-in', boundTo, detail: method });
      return ok({ second_factor: asked });
    },

    /** The second step, in the browser that did the first one. */
    async complete(call: CallTo<'POST /api/user/login/second_factor'>) {
      const proof = call.body;
      const purpose = 'sign-in';
      const challenge = challenges.open(proof.token, { purpose, boundTo: mark.read(call) });
      const user = challenge && (await loadUser(deps, challenge.userId));
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
