import { reject } from '../../../domain/shared/decider.ts';
import { confirmationBody } from '../../contract/second-factor.ts';
import { type Answer, ok } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { Routes } from '../../http/routes.ts';
import { createConfirmations } from '../../http/step-up.ts';
import type { Services } from '../../services.ts';
import { loadUser } from '../find-user.ts';
import { createChallenges } from './challenges.ts';
import { createEnrolRoutes } from './enrol-routes.ts';
import { createProofs } from './proofs.ts';
import { createSignIn } from './sign-in.ts';

/** Second factors: signing in by one, confirming by one, and what a person has of them. */
export const createSecondFactorRoutes = (services: Services): Routes => {
  const challenges = createChallenges(services);
  const proofs = createProofs(services, challenges);
  const confirmations = createConfirmations(services);

  const ask = async (call: Call): Promise<Answer> => {
    const { userId, session } = call.caller;
    const user = await loadUser(services, userId);
    if (!user) return reject('user.unknown');
    if (session === null) return reject('auth.session-needed');
    if (!proofs.canProve(user)) return reject('user.no-second-factor');
    return ok(await proofs.ask(call, user, { purpose: 'confirmation', boundTo: session.id }));
  };

  const confirm = async (call: Call): Promise<Answer> => {
    const proof = call.body(confirmationBody);
    const { userId, session } = call.caller;
    const user = await loadUser(services, userId);
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
    'POST /api/user/login/second_factor': createSignIn(services).complete,
    'POST /api/user/second_factors/challenge': ask,
    'POST /api/user/second_factors/confirm': confirm,
    ...createEnrolRoutes(services, challenges),
  };
};
