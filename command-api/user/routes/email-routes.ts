import { randomBytes } from 'node:crypto';
import { reject } from '../../../domain/shared/decider.ts';
import { userDecider } from '../../../domain/user/decider.ts';
import { userStreamId } from '../../../domain/user/stream.ts';
import type { CommandHandler } from '../../commands/handle-command.ts';
import type { emailApi } from '../../contract/user.ts';
import { type Answer, ok } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { CallTo, Handlers } from '../../http/routes.ts';
import type { Claims } from '../../identity/claims.ts';
import type { PersonalKeys } from '../../identity/personal-keys.ts';
import { type Letter, resetLetter, verificationLetter } from '../../mail/letters.ts';
import { createPostOffice, type PostOfficeDeps } from '../../mail/post-office.ts';
import { serverAddress } from '../../options/server-address.ts';
import { derivedMetadata } from '../../shared/metadata.ts';
import { addressClaim, addressIdentity, addressProblem, isAddressTaken } from '../email-address.ts';
import { findUser, foldName } from '../find-user.ts';
import { createGuesses, type GuessDeps } from '../guesses.ts';
import { type CodeUse, codeMinutes, createOneTimeCodes } from '../one-time-codes.ts';
import { hashPassword } from '../passwords.ts';

export type EmailRouteDeps = GuessDeps &
  PostOfficeDeps &
  Readonly<{ claims: Claims; commands: CommandHandler; personalKeys: PersonalKeys }>;

const newPasswordBytes = 6;

/** What needs a mailbox: proving an address, linking one, and a password by mail. */
export const createEmailRoutes = (deps: EmailRouteDeps): Handlers<typeof emailApi> => {
  const { claims, options, personalKeys, vault } = deps;
  const codes = createOneTimeCodes(deps);
  const guesses = createGuesses(deps);
  const post = createPostOffice(deps);

  const send = async (to: string, letter: Letter): Promise<Answer> =>
    (await post.send({ to, ...letter })) ?? ok();

  /** A mailbox must not be filled from many client addresses. */
  const maySend = (call: Call, address: string): Promise<boolean> =>
    call.rateLimit.take(`mail/${foldName(address)}`);

  const sendCode = async (call: CallTo<'GET /api/verification'>) => {
    const { email } = call.query;
    const problem = await addressProblem(deps, email);
    if (problem) return reject(problem);
    if (await isAddressTaken(deps, email)) return reject('user.email-taken');
    if (!(await post.isOpen())) return reject('mail.not-configured');
    if (!(await maySend(call, email))) return reject('auth.too-many-attempts');
    const code = await codes.issue({ purpose: 'email', address: email, ip: call.ip });
    const site = await options.text('SystemName');
    const letter = verificationLetter(call.language, { site, code, minutes: codeMinutes });
    return send(email, letter);
  };

  const linkFor = async (email: string, token: string): Promise<string> => {
    const base = await serverAddress(options);
    return `${base}/user/reset?${new URLSearchParams({ email, token })}`;
  };

  /** An unknown address is reported as such; the limit for each client holds. */
  const sendResetLink = async (call: CallTo<'GET /api/reset_password'>) => {
    const { email } = call.query;
    if (!email.includes('@')) return reject('user.email-invalid');
    const user = await findUser(deps, email);
    if (!user) return reject('user.email-unknown');
    if (!(await post.isOpen())) return reject('mail.not-configured');
    // Who floods the mailbox from elsewhere does not keep its owner from asking.
    const isOwnPlace = await guesses.isKnownPlace(call, user.userId);
    if (!(isOwnPlace || (await maySend(call, email)))) return reject('auth.too-many-attempts');
    const use = { purpose: 'password-reset', address: email, ip: call.ip } as const;
    const link = await linkFor(email, await codes.issue(use));
    const site = await options.text('SystemName');
    return send(email, resetLetter(call.language, { site, link, minutes: codeMinutes }));
  };

  /** A code that was right is spent at once, so that of two who use it one gets through. */
  const redeemed = async (use: CodeUse, code: string): Promise<boolean> =>
    (await codes.isRight(use, code)) && (await codes.spend(use));

  const confirmReset = async (call: CallTo<'POST /api/user/reset'>) => {
    const { email, token } = call.body;
    const wrong = reject('user.reset-link-invalid');
    if (!email.includes('@')) return wrong;
    const use = { purpose: 'password-reset', address: email, ip: call.ip } as const;
    if (!(await redeemed(use, token))) return wrong;
    const user = await findUser(deps, email);
    if (!user) return wrong;
    const password = randomBytes(newPasswordBytes).toString('hex');
    const { userId } = user;
    const result = await call.perform(userDecider, userStreamId(userId), {
      type: 'ResetPassword',
      data: {
        userId,
        passwordHash: await hashPassword(password),
        keptSessionId: null,
        actorRole: 'self',
      },
    });
    return result.kind === 'rejected' ? result : ok(password);
  };

  const bind = async (call: CallTo<'GET /api/oauth/email/bind'>) => {
    const { email, code } = call.query;
    const { userId } = call.caller;
    const problem = await addressProblem(deps, email);
    if (problem) return reject(problem);
    const use = { purpose: 'email', address: email, ip: call.ip } as const;
    if (!(await redeemed(use, code))) return reject('user.email-code-wrong');
    // Checked after the code, so that only who reads a mailbox learns that it has an account.
    if (await isAddressTaken(deps, email, userId)) return reject('user.email-taken');
    const seal = await personalKeys.get(userId);
    if (!seal) return reject('user.deleted');
    const metadata = derivedMetadata(call.metadata, 'email');
    const claimed = await claims.claim(addressClaim(vault, email, userId), metadata);
    if (claimed.kind === 'taken') return reject('user.email-taken');
    const result = await call.perform(userDecider, userStreamId(userId), {
      type: 'LinkIdentity',
      data: { userId, ...addressIdentity(vault, email, seal) },
    });
    return result.kind === 'rejected' ? result : ok();
  };

  return {
    'GET /api/verification': sendCode,
    'GET /api/reset_password': sendResetLink,
    'POST /api/user/reset': confirmReset,
    'GET /api/oauth/email/bind': bind,
  };
};
