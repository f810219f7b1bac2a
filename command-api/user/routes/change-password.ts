import { reject } from '../../../domain/shared/decider.ts';
import { userDecider } from '../../../domain/user/decider.ts';
import { userStreamId } from '../../../domain/user/stream.ts';
import { type Answer, ok } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { type KnownUser, loadUser } from '../find-user.ts';
import type { GuessDeps } from '../guesses.ts';
import { createGuesses } from '../guesses.ts';
import { hashPassword, isPasswordOf, passwordProblem } from '../passwords.ts';
import type { SessionDeps } from '../sessions.ts';
import { createSessions } from '../sessions.ts';

export type ChangePasswordDeps = SessionDeps & GuessDeps;

type NewPassword = Readonly<{ password: string; original: string }>;

/** Whoever registered by a login provider has no password yet, and sets the first one without. */
const isOriginal = async ({ passwordHash }: KnownUser, original: string): Promise<boolean> =>
  passwordHash === null ? original === '' : isPasswordOf(passwordHash, original);

/** A person changes their own password. */
export const createChangePassword = (deps: ChangePasswordDeps) => {
  const sessions = createSessions(deps);
  const guesses = createGuesses(deps);

  const refusalOf = async (
    call: Call,
    user: KnownUser,
    { password, original }: NewPassword,
  ): Promise<Answer | null> => {
    const { userId } = user;
    const guessed = { method: 'password-change', name: String(userId), userId };
    const attempt = await guesses.begin(call, guessed);
    if (attempt.refusal) return attempt.refusal;
    if (!(await isOriginal(user, original))) {
      attempt.wrong();
      return reject('user.wrong-password');
    }
    await attempt.right();
    if (password === original) return reject('user.password-unchanged');
    const problem = await passwordProblem(password, user.role);
    return problem === null ? null : reject(problem);
  };

  /** It ends every other session; the requesting one continues under the new epoch. */
  return async (call: Call, wanted: NewPassword): Promise<Answer> => {
    const { userId, session } = call.caller;
    const user = await loadUser(deps, userId);
    if (!user) return reject('user.unknown');
    const refusal = await refusalOf(call, user, wanted);
    if (refusal) return refusal;
    const result = await call.perform(userDecider, userStreamId(userId), {
      type: 'ChangePassword',
      data: {
        userId,
        passwordHash: await hashPassword(wanted.password),
        keptSessionId: session?.id ?? null,
      },
    });
    if (result.kind === 'rejected') return result;
    if (session) await sessions.renew(call, session);
    return ok();
  };
};
