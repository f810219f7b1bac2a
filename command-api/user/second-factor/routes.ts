import { reject } from '../../../domain/shared/decider.ts';
import type { enrolApi, secondFactorApi } from '../../contract/second-factor.ts';
import { ok } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { CallTo, Handlers } from '../../http/routes.ts';
import { createConfirmations } from '../../http/step-up.ts';
import { loadUser } from '../find-user.ts';
import { createChallenges } from './challenges.ts';
import { createEnrolRoutes } from './enrol-routes.ts';
import { createProofs } from './proofs.ts';
import { createSignIn, type SignInDeps } from './sign-in.ts';

type Deps = SignInDeps;

/** Second factors: signing in by one, confirming by one, and what a person has of them. */
export const createSecondFactorRoutes = (
  deps: Deps,
): Handlers<typeof secondFactorApi & typeof enrolApi> => {
  const challenges = createChallenges(deps);
  const proofs = createProofs(deps, challenges);
  const confirmations = createConfirmations(deps);

  const ask = async (call: Call) => {
    const { userId, session } = call.caller;
    const user = await loadUser(deps, userId);
    if (!user) return reject('user.unknown');
    if (session === null) return reject('auth.session-needed');
    if (!proofs.canProve(user)) return reject('user.no-second-factor');
    return ok(await proofs.ask(call, user, { purpose: 'confirmation', boundTo: session.id }));
  };

  const confirm = async (call: CallTo<'POST /api/user/second_factors/confirm'>) => {
    const proof = call.body;
    const { userId, session } = call.caller;
    const user = await loadUser(deps, userId);
    if (!user) return reject('user.unknown');
    if (session === null) return reject('auth.session-needed');
    const purpose = 'confirmation';
    const challenge = challenges.open(proof.token, { purpose, boundTo: session.id });
    if (challenge?.userId !== userId) return reject('auth.second-factor-expired');
    const refused = await proofs.verify(call, user, { challenge, purpose, proof });
    if (refused) return refused;
    const given = proof.method === 'password' ? 'first-factor' : 'second-factor';
    await confirmations.note(session.id, given);
    return ok();
  };

  return {
    'POST /api/user/login/second_factor': createSignIn(deps).complete,
    'POST /api/user/second_factors/challenge': ask,
    'POST /api/user/second_factors/confirm': confirm,
    ...createEnrolRoutes(deps, challenges),
  };
};
