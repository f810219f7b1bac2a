import { mayActOn, ordinaryRole } from '../../../domain/access/roles.ts';
import { reject } from '../../../domain/shared/decider.ts';
import { reasonField } from '../../../domain/shared/reason.ts';
import { userDecider } from '../../../domain/user/decider.ts';
import { userStreamId } from '../../../domain/user/stream.ts';
import type { EditUserBody, userAdminApi } from '../../contract/user.ts';
import { type Answer, ok } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { CallTo, Handlers } from '../../http/routes.ts';
import type { Accounts } from '../../keeper/accounts.ts';
import { createUser, type NewUserDeps } from '../create-user.ts';
import { type KnownUser, loadUser } from '../find-user.ts';
import { hashPassword, passwordProblem } from '../passwords.ts';
import { createSessions, type SessionDeps } from '../sessions.ts';
import { changeProfile } from './change-profile.ts';

export type AdminRouteDeps = NewUserDeps & SessionDeps & Readonly<{ accounts: Accounts }>;

const managing = {
  promote: 'PromoteUser',
  demote: 'DemoteUser',
  disable: 'DisableUser',
  enable: 'EnableUser',
  delete: 'DeleteUser',
  remove_second_factors: 'RemoveSecondFactors',
} as const;

const statusOnWire = { active: 1, banned: 2 } as const;

/** An account that the first command opens. */
const notOpenYet = { balance: 0, used: 0 } as const;

/** A deletion leaves the status as it was, here as in the list of users. */
const shownStatus = ({ status }: KnownUser, before: KnownUser | null): 1 | 2 => {
  const shown = status === 'deleted' ? (before?.status ?? 'active') : status;
  return shown === 'deleted' ? statusOnWire.active : statusOnWire[shown];
};

export const createUserAdminRoutes = (deps: AdminRouteDeps): Handlers<typeof userAdminApi> => {
  const { accounts } = deps;
  const sessions = createSessions(deps);

  const create = async (call: CallTo<'POST /api/user/'>) => {
    const { username, password, display_name, role } = call.body;
    if (role && role >= call.caller.role) return reject('user.above-you');
    const displayName = display_name ? display_name : username;
    const user = { username, password, displayName, role: ordinaryRole, inviterId: null } as const;
    const created = await createUser(deps, call, user);
    return created.kind === 'rejected' ? created : ok();
  };

  /**
   * The form sends the new balance; the account takes the difference. A charge moves the same
   * amount from the balance to what is used, so that the record's `used_quota` shows the balance
   * that its reader saw.
   */
  const changeQuota = async (
    call: Call,
    { id: userId, quota, quota_seen, used_quota, reason: typed }: EditUserBody,
  ): Promise<Answer> => {
    if (typeof quota !== 'number') return ok();
    const account = (await accounts.summary(userId)) ?? notOpenYet;
    const usedThen = used_quota ?? account.used;
    const shown = quota_seen ?? account.balance + account.used - usedThen;
    const delta = quota - shown;
    if (delta === 0) return ok();
    const reason = { kind: 'set-by-admin', note: reasonField(typed).reason ?? null } as const;
    const result = await call.book({
      type: 'AdjustQuota',
      data: { userId, delta, seen: shown, reason },
    });
    return result.kind === 'rejected' ? result : ok();
  };

  const resetPassword = async (
    call: Call,
    { userId, role }: Pick<KnownUser, 'userId' | 'role'>,
    { password, reason }: EditUserBody,
  ): Promise<Answer> => {
    if (!password) return ok();
    const problem = await passwordProblem(password, role);
    if (problem) return reject(problem);
    const { role: actorRole, session } = call.caller;
    const own = session?.userId === userId ? session : null;
    const result = await call.perform(userDecider, userStreamId(userId), {
      type: 'ResetPassword',
      data: {
        userId,
        passwordHash: await hashPassword(password),
        keptSessionId: own?.id ?? null,
        actorRole,
        ...reasonField(reason),
      },
    });
    if (result.kind === 'rejected') return result;
    if (own) await sessions.renew(call, own);
    return ok();
  };

  const changeGroup = async (
    call: Call,
    { id: userId, group, reason }: EditUserBody,
  ): Promise<Answer> => {
    if (!group) return ok();
    const { role: actorRole } = call.caller;
    const result = await call.perform(userDecider, userStreamId(userId), {
      type: 'ChangeGroup',
      data: { userId, group, actorRole, ...reasonField(reason) },
    });
    return result.kind === 'rejected' ? result : ok();
  };

  const edit = async (call: CallTo<'PUT /api/user/'>) => {
    const { body } = call;
    const { id: userId } = body;
    const { role: actorRole } = call.caller;
    const user = await loadUser(deps, userId);
    if (!user) return reject('user.unknown');
    if (!mayActOn(actorRole, user.role)) return reject('user.above-you');
    if (body.role && body.role >= actorRole && actorRole !== 100) return reject('user.above-you');
    const steps: readonly (() => Promise<Answer>)[] = [
      () =>
        changeProfile(deps, call, {
          userId,
          actorRole,
          username: body.username ?? '',
          displayName: body.display_name ?? '',
        }),
      () => changeGroup(call, body),
      () => resetPassword(call, user, body),
      () => changeQuota(call, body),
    ];
    for (const step of steps) {
      const answer = await step();
      if (answer.kind === 'rejected') return answer;
    }
    return ok();
  };

  const manage = async (call: CallTo<'POST /api/user/manage'>) => {
    const { id: userId, action, reason } = call.body;
    const by = { userId, actorRole: call.caller.role, ...reasonField(reason) };
    const before = await loadUser(deps, userId);
    const result = await call.perform(
      userDecider,
      userStreamId(userId),
      action === 'end_sessions'
        ? { type: 'EndSessions', data: { ...by, keptSessionId: null } }
        : { type: managing[action], data: by },
    );
    if (result.kind === 'rejected') return result;
    const user = await loadUser(deps, userId);
    if (!user) return reject('user.unknown');
    return ok({ role: user.role, status: shownStatus(user, before) });
  };

  return {
    'POST /api/user/': create,
    'PUT /api/user/': edit,
    'POST /api/user/manage': manage,
  };
};
