import { ordinaryRole } from '../../../domain/access/roles.ts';
import { type Rejected, reject } from '../../../domain/shared/decider.ts';
import type { RegisterBody, sessionApi } from '../../contract/user.ts';
import { type Answer, ok } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { signedSession } from '../../http/current-session.ts';
import type { RejectionCode } from '../../http/rejection-messages.ts';
import type { CallTo, Handlers } from '../../http/routes.ts';
import { createUser, type NewUser, type NewUserDeps } from '../create-user.ts';
import { addressProblem, isAddressTaken } from '../email-address.ts';
import { findInviter, findUser, foldName, type KnownUser } from '../find-user.ts';
import { createGuesses } from '../guesses.ts';
import { createOneTimeCodes } from '../one-time-codes.ts';
import { isPasswordOf } from '../passwords.ts';
import { createSignIn, type SignInDeps } from '../second-factor/sign-in.ts';
import { createSessions } from '../sessions.ts';

export type SessionRouteDeps = NewUserDeps & SignInDeps;

const guessOf = (username: string, user: KnownUser | null) => ({
  method: 'password',
  name: foldName(username),
  userId: user?.userId ?? null,
});

/** The user, where the password is theirs and they may sign in. */
const enteringUser = (user: KnownUser | null, matches: boolean): KnownUser | null =>
  matches && user?.status === 'active' ? user : null;

export const createSessionRoutes = (deps: SessionRouteDeps): Handlers<typeof sessionApi> => {
  const { options } = deps;
  const codes = createOneTimeCodes(deps);
  const sessions = createSessions(deps);
  const guesses = createGuesses(deps);
  const signIn = createSignIn(deps);

  const login = async (call: CallTo<'POST /api/user/login'>) => {
    if (!(await options.isOn('PasswordLoginEnabled'))) return reject('auth.password-login-off');
    const { username, password } = call.body;
    const user = await findUser(deps, username);
    const attempt = await guesses.begin(call, guessOf(username, user));
    if (attempt.refusal) return attempt.refusal;
    const matches = await isPasswordOf(user?.passwordHash ?? null, password);
    if (!matches) attempt.wrong();
    const entering = enteringUser(user, matches);
    // One answer for every cause: it must not reveal which names exist.
    if (entering === null) return reject('auth.wrong-credentials');
    const answer = await signIn.begin(call, entering, 'password');
    if (answer.kind === 'ok') await Promise.all([attempt.right(), call.giveBackAttempt()]);
    return answer;
  };

  /** The browser drops its session, and a copy of the cookie is invalid afterwards. */
  const logout = async (call: Call) => {
    await sessions.removeCookie(call);
    const session = signedSession(deps, call.request.headers);
    if (session !== null) await sessions.end(call, session, 'logged-out');
    return ok();
  };

  /** null: the operator requires no address. The code is used up once the account exists. */
  const provenAddress = async (
    { ip }: Call,
    { email, verification_code: code }: RegisterBody,
  ): Promise<string | null | Rejected<RejectionCode>> => {
    if (!(await options.isOn('EmailVerificationEnabled'))) return null;
    if (!email || !code) return reject('user.email-code-needed');
    const problem = await addressProblem(deps, email);
    if (problem) return reject(problem);
    const use = { purpose: 'email', address: email, ip } as const;
    if (!(await codes.isRight(use, code))) return reject('user.email-code-wrong');
    return (await isAddressTaken(deps, email)) ? reject('user.email-taken') : email;
  };

  const closed = async () => {
    if (!(await options.isOn('RegisterEnabled'))) return reject('user.registration-off');
    return (await options.isOn('PasswordRegisterEnabled'))
      ? null
      : reject('user.password-registration-off');
  };

  const enter = async (call: Call, user: NewUser): Promise<Answer> => {
    const created = await createUser(deps, call, user);
    if (created.kind === 'rejected') return created;
    const { email } = user;
    if (email !== undefined) await codes.spend({ purpose: 'email', address: email });
    return ok();
  };

  const register = async (call: CallTo<'POST /api/user/register'>) => {
    const refused = await closed();
    if (refused) return refused;
    const { body } = call;
    if (body.password2 !== undefined && body.password2 !== body.password) {
      return reject('user.password-mismatch');
    }
    const email = await provenAddress(call, body);
    if (typeof email === 'object' && email !== null) return email;
    const { username, password } = body;
    const inviterId = await findInviter(deps, body.aff_code);
    const user = {
      username,
      password,
      displayName: username,
      role: ordinaryRole,
      inviterId,
    } as const;
    return enter(call, email === null ? user : { ...user, email });
  };

  return {
    'POST /api/user/login': login,
    'GET /api/user/logout': logout,
    'POST /api/user/register': register,
  };
};
