import { type Rejected, reject } from '../../../domain/shared/decider.ts';
import { userDecider } from '../../../domain/user/decider.ts';
import type { FactorMethod } from '../../../domain/user/events.ts';
import type { SecondFactorCommand } from '../../../domain/user/second-factor-commands.ts';
import type { FactorPurpose } from '../../../domain/user/second-factor-events.ts';
import { hasSecondFactor, passkeyOf } from '../../../domain/user/second-factors.ts';
import { userStreamId } from '../../../domain/user/stream.ts';
import type { Bus } from '../../../infra/ports/bus.ts';
import type { Clock } from '../../../infra/ports/clock.ts';
import type { Vault } from '../../../infra/ports/vault.ts';
import type { Confirmation, FactorQuestion } from '../../contract/second-factor.ts';
import type { Call, Payload } from '../../http/call.ts';
import type { RejectionCode } from '../../http/rejection-messages.ts';
import type { PersonalKeys } from '../../identity/personal-keys.ts';
import type { SiteOptions } from '../../options/site-options.ts';
import type { KnownUser } from '../find-user.ts';
import { createGuesses } from '../guesses.ts';
import type { LoginFailures } from '../login-failures.ts';
import { isPasswordOf } from '../passwords.ts';
import type { Challenge, createChallenges } from './challenges.ts';
import { assertionOptions, relyingParty, verifiedAssertion } from './passkeys.ts';
import { recoveryCodeHash } from './recovery-codes.ts';
import { timeStepOf } from './totp.ts';

export type ProofDeps = Readonly<{
  bus: Bus;
  vault: Vault;
  clock: Clock;
  personalKeys: PersonalKeys;
  loginFailures: LoginFailures;
  options: SiteOptions;
}>;

type Refused = Rejected<RejectionCode>;
type Challenges = ReturnType<typeof createChallenges>;
/** The password confirms for those without a second factor. */
type Method = FactorMethod | 'password';
type Given<M extends Method> = Readonly<{
  challenge: Challenge;
  purpose: FactorPurpose;
  proof: Extract<Confirmation, { method: M }>;
}>;
type Reported<M extends Method> = Given<M> & Readonly<{ user: KnownUser }>;

/** What a person can prove it by, the best first. */
const methodsOf = ({ secondFactors, passwordHash }: KnownUser): readonly Method[] => {
  if (!hasSecondFactor(secondFactors)) return passwordHash === null ? [] : ['password'];
  return [
    ...(secondFactors.passkeys.length > 0 ? (['passkey'] as const) : []),
    ...(secondFactors.totp === null ? [] : (['totp'] as const)),
    ...(secondFactors.recoveryCodeHashes.length > 0 ? (['recovery-code'] as const) : []),
  ];
};

/** One answer for every code and passkey that does not fit. */
const wrong = (): Refused => reject('auth.second-factor-wrong');

/** Requires a second factor, and checks it. */
export const createProofs = (deps: ProofDeps, challenges: Challenges) => {
  const { clock, personalKeys, vault } = deps;
  const guesses = createGuesses(deps);

  const use = async (
    call: Call,
    user: KnownUser,
    payload: Payload<SecondFactorCommand>,
  ): Promise<Refused | null> => {
    const result = await call.perform(userDecider, userStreamId(user.userId), payload);
    return result.kind === 'rejected' ? result : null;
  };

  const byTotp = async (call: Call, { user, purpose, proof }: Reported<'totp'>) => {
    const { userId, secondFactors } = user;
    const seal = await personalKeys.get(userId);
    if (secondFactors.totp === null || !seal) return wrong();
    const secret = seal.unseal(secondFactors.totp.secret, 'totp-secret');
    const timeStep = timeStepOf(secret, proof.code, clock().getTime());
    if (timeStep === null) return wrong();
    return use(call, user, { type: 'UseTotpCode', data: { userId, timeStep, purpose } });
  };

  const byRecoveryCode = (call: Call, { user, purpose, proof }: Reported<'recovery-code'>) => {
    const { userId } = user;
    const codeHash = recoveryCodeHash(vault, userId, proof.code);
    return use(call, user, { type: 'UseRecoveryCode', data: { userId, codeHash, purpose } });
  };

  const byPasskey = async (
    call: Call,
    { user, challenge, purpose, proof }: Reported<'passkey'>,
  ) => {
    const { userId, secondFactors } = user;
    const { assertion } = proof;
    const passkey = passkeyOf(secondFactors, assertion.id);
    const party = await relyingParty(deps, call.request.headers);
    if (passkey === null || party === null) return wrong();
    const expected = { party, challenge: challenge.passkeyChallenge };
    const counter = await verifiedAssertion(assertion, passkey, expected);
    if (counter === null) return wrong();
    const { credentialId } = passkey;
    return use(call, user, {
      type: 'UsePasskey',
      data: { userId, credentialId, counter, purpose },
    });
  };

  const byPassword = async ({ user, proof }: Reported<'password'>): Promise<Refused | null> => {
    if (hasSecondFactor(user.secondFactors)) return reject('auth.second-factor-required');
    const isRight = await isPasswordOf(user.passwordHash, proof.password);
    return isRight ? null : reject('user.confirmation-wrong');
  };

  const check = (
    call: Call,
    user: KnownUser,
    { challenge, purpose, proof }: Given<Method>,
  ): Promise<Refused | null> => {
    const reported = { user, challenge, purpose };
    switch (proof.method) {
      case 'totp':
        return byTotp(call, { ...reported, proof });
      case 'recovery-code':
        return byRecoveryCode(call, { ...reported, proof });
      case 'passkey':
        return byPasskey(call, { ...reported, proof });
      case 'password':
        return byPassword({ ...reported, proof });
    }
  };

  return {
    isNeeded: (user: KnownUser): boolean => hasSecondFactor(user.secondFactors),

    /** Is there anything to confirm by? */
    canProve: (user: KnownUser): boolean => methodsOf(user).length > 0,

    /** What the client shows and signs. */
    async ask(
      call: Call,
      user: KnownUser,
      begun: Readonly<{ purpose: FactorPurpose; boundTo: string; detail?: string }>,
    ): Promise<FactorQuestion> {
      const { challenge, token } = challenges.begin(user, begun);
      const methods = methodsOf(user);
      const asked = { methods: [...methods], token };
      const party = methods.includes('passkey')
        ? await relyingParty(deps, call.request.headers)
        : null;
      if (party === null) return asked;
      const { passkeyChallenge } = challenge;
      const passkey = await assertionOptions({ party, user, challenge: passkeyChallenge });
      return { ...asked, passkey: { ...passkey } };
    },

    /** null: proven, by this call and no other. */
    async verify(call: Call, user: KnownUser, given: Given<Method>): Promise<Refused | null> {
      const { userId } = user;
      // Passwords are counted together with those of other calls that require one.
      const method = given.proof.method === 'password' ? 'password-change' : 'second-factor';
      const guessed = { method, name: String(userId), userId };
      const attempt = await guesses.begin(call, { ...guessed, isSecondStep: true });
      if (attempt.refusal) return attempt.refusal;
      const refused = await check(call, user, given);
      if (refused) {
        attempt.wrong();
        return refused;
      }
      if (!(await challenges.spend(given.challenge))) return reject('auth.second-factor-expired');
      await attempt.right();
      return null;
    },
  };
};
