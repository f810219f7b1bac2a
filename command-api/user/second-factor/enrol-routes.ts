import type { Session } from '../../../domain/access/session.ts';
import { type Rejected, reject } from '../../../domain/shared/decider.ts';
import { userDecider } from '../../../domain/user/decider.ts';
import type { SecondFactorCommand } from '../../../domain/user/second-factor-commands.ts';
import { userStreamId } from '../../../domain/user/stream.ts';
import type { Bus } from '../../../infra/ports/bus.ts';
import type { Clock } from '../../../infra/ports/clock.ts';
import type { PersonalSeal, Vault } from '../../../infra/ports/vault.ts';
import type { CommandHandler } from '../../commands/handle-command.ts';
import type { enrolApi } from '../../contract/second-factor.ts';
import { type Answer, type AnswerOf, ok } from '../../http/answer.ts';
import type { Call, Payload } from '../../http/call.ts';
import type { RejectionCode } from '../../http/rejection-messages.ts';
import type { CallTo, Handlers } from '../../http/routes.ts';
import { createConfirmations } from '../../http/step-up.ts';
import type { PersonalKeys } from '../../identity/personal-keys.ts';
import type { SiteOptions } from '../../options/site-options.ts';
import { type KnownUser, loadUser } from '../find-user.ts';
import type { Challenge, createChallenges } from './challenges.ts';
import { registrationOptions, relyingParty, verifiedRegistration } from './passkeys.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';
import { newTotpSecret, timeStepOf, totpUri } from './totp.ts';

type Deps = Readonly<{
  bus: Bus;
  vault: Vault;
  clock: Clock;
  commands: CommandHandler;
  personalKeys: PersonalKeys;
  options: SiteOptions;
}>;

/** Who changes factors: a person in a browser, never a program with an access token. */
type Holder = Readonly<{ user: KnownUser; session: Session; seal: PersonalSeal }>;
type EnrolApi = typeof enrolApi;
type Steps<K extends keyof EnrolApi> = (
  call: CallTo<K>,
  holder: Holder,
) => Promise<AnswerOf<EnrolApi[K]>>;

const purpose = 'enrolment';

/** Enrols, names and removes second factors. */
export const createEnrolRoutes = (
  deps: Deps,
  challenges: ReturnType<typeof createChallenges>,
): Handlers<EnrolApi> => {
  const { clock, options, personalKeys, vault } = deps;
  const confirmations = createConfirmations(deps);

  const byHolder =
    <K extends keyof EnrolApi>(steps: Steps<K>) =>
    async (call: CallTo<K>): Promise<AnswerOf<EnrolApi[K]>> => {
      const { userId, session } = call.caller;
      if (session === null) return reject('auth.session-needed');
      const user = await loadUser(deps, userId);
      const seal = await personalKeys.get(userId);
      return user && seal ? steps(call, { user, session, seal }) : reject('user.unknown');
    };

  const perform = (call: Call, { user }: Holder, payload: Payload<SecondFactorCommand>) =>
    call.perform(userDecider, userStreamId(user.userId), payload);

  const opened = (token: string, { user, session }: Holder): Challenge | null => {
    const challenge = challenges.open(token, { purpose, boundTo: session.id });
    return challenge?.userId === user.userId ? challenge : null;
  };

  /** Adds a factor; the first one includes recovery codes, and the session counts as confirmed. */
  const enrol = async (
    call: Call,
    holder: Holder,
    payload: (recoveryCodeHashes: readonly string[]) => Payload<SecondFactorCommand>,
  ): Promise<Answer<{ recovery_codes: readonly string[] }>> => {
    const { userId } = holder.user;
    const codes = newRecoveryCodes(call, vault);
    const hashes = codes.map((code) => recoveryCodeHash(vault, userId, code));
    const result = await perform(call, holder, payload(hashes));
    if (result.kind === 'rejected') return result;
    await confirmations.note(holder.session.id, 'second-factor');
    const isFirst = result.events.some(({ type }) => type === 'RecoveryCodesIssued');
    return ok({ recovery_codes: isFirst ? codes : [] });
  };

  const beginTotp: Steps<'POST /api/user/second_factors/totp'> = async (
    _call,
    { user, session },
  ) => {
    if (user.secondFactors.totp !== null) return reject('user.totp-already-enrolled');
    const secret = newTotpSecret();
    const issuer = await options.text('SystemName');
    const begun = { purpose, boundTo: session.id, detail: secret } as const;
    const { token } = challenges.begin(user, begun);
    return ok({ token, secret, uri: totpUri(secret, { issuer, account: user.username }) });
  };

  const enrolTotp: Steps<'PUT /api/user/second_factors/totp'> = async (call, holder) => {
    const { token, code } = call.body;
    const challenge = opened(token, holder);
    if (!challenge || challenge.detail === '') return reject('auth.second-factor-expired');
    const timeStep = timeStepOf(challenge.detail, code, clock().getTime());
    if (timeStep === null) return reject('user.totp-code-wrong');
    const { userId } = holder.user;
    const secret = holder.seal.seal(challenge.detail, 'totp-secret');
    return enrol(call, holder, (recoveryCodeHashes) => ({
      type: 'EnrolTotp',
      data: { userId, secret, timeStep, recoveryCodeHashes },
    }));
  };

  const beginPasskey: Steps<'POST /api/user/second_factors/passkey_options'> = async (
    call,
    { user, session },
  ) => {
    const party = await relyingParty(deps, call.request.headers);
    if (party === null) return reject('user.passkey-no-address');
    const { token, challenge } = challenges.begin(user, { purpose, boundTo: session.id });
    const asked = { party, user, challenge: challenge.passkeyChallenge };
    const creation = await registrationOptions(asked, {
      siteName: await options.text('SystemName'),
      handle: Buffer.from(vault.claimHash('passkey-user', String(user.userId)), 'hex').toString(
        'base64url',
      ),
    });
    return ok({ token, options: { ...creation } });
  };

  const addPasskey: Steps<'POST /api/user/second_factors/passkeys'> = async (call, holder) => {
    const { token, name, credential } = call.body;
    const challenge = opened(token, holder);
    const party = await relyingParty(deps, call.request.headers);
    if (!challenge || party === null) return reject('auth.second-factor-expired');
    const expected = { party, challenge: challenge.passkeyChallenge };
    const passkey = await verifiedRegistration(credential, expected);
    if (passkey === null) return reject('user.passkey-not-verified');
    if (!(await challenges.spend(challenge))) return reject('auth.second-factor-expired');
    const sealed = holder.seal.seal(name, 'passkey-name');
    const { userId } = holder.user;
    return enrol(call, holder, (recoveryCodeHashes) => ({
      type: 'AddPasskey',
      data: { userId, ...passkey, name: sealed, recoveryCodeHashes },
    }));
  };

  const answered = (result: Rejected<RejectionCode> | Readonly<{ kind: 'accepted' }>): Answer =>
    result.kind === 'rejected' ? result : ok();

  const renamePasskey: Steps<'PUT /api/user/second_factors/passkeys/:id'> = async (
    call,
    holder,
  ) => {
    const { id: credentialId } = call.params;
    const name = holder.seal.seal(call.body.name, 'passkey-name');
    const { userId } = holder.user;
    const data = { userId, credentialId, name };
    return answered(await perform(call, holder, { type: 'RenamePasskey', data }));
  };

  const removePasskey: Steps<'DELETE /api/user/second_factors/passkeys/:id'> = async (
    call,
    holder,
  ) => {
    const { id: credentialId } = call.params;
    const data = { userId: holder.user.userId, credentialId };
    return answered(await perform(call, holder, { type: 'RemovePasskey', data }));
  };

  const removeTotp: Steps<'DELETE /api/user/second_factors/totp'> = async (call, holder) => {
    const data = { userId: holder.user.userId };
    return answered(await perform(call, holder, { type: 'RemoveTotp', data }));
  };

  const newCodes: Steps<'POST /api/user/second_factors/recovery_codes'> = async (call, holder) => {
    const { userId } = holder.user;
    const codes = newRecoveryCodes(call, vault);
    const codeHashes = codes.map((code) => recoveryCodeHash(vault, userId, code));
    const data = { userId, codeHashes };
    const result = await perform(call, holder, { type: 'IssueRecoveryCodes', data });
    return result.kind === 'rejected' ? result : ok({ recovery_codes: codes });
  };

  return {
    'POST /api/user/second_factors/totp': byHolder(beginTotp),
    'PUT /api/user/second_factors/totp': byHolder(enrolTotp),
    'DELETE /api/user/second_factors/totp': byHolder(removeTotp),
    'POST /api/user/second_factors/passkey_options': byHolder(beginPasskey),
    'POST /api/user/second_factors/passkeys': byHolder(addPasskey),
    'PUT /api/user/second_factors/passkeys/:id': byHolder(renamePasskey),
    'DELETE /api/user/second_factors/passkeys/:id': byHolder(removePasskey),
    'POST /api/user/second_factors/recovery_codes': byHolder(newCodes),
  };
};
