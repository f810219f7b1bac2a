import { mayActOn } from '../../domain/access/roles.ts';
import { reject } from '../../domain/shared/decider.ts';
import { userDecider } from '../../domain/user/decider.ts';
import { userStreamId } from '../../domain/user/stream.ts';
import { createUserBody, editUserBody, manageUserBody } from '../contract/user.ts';
import { type Answer, ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { Routes } from '../http/routes.ts';
import type { Services } from '../services.ts';
import { changeProfile } from './change-profile.ts';
import { createUser } from './create-user.ts';
import { type KnownUser, loadUser } from './find-user.ts';
import { hashPassword, passwordProblem } from './passwords.ts';
import { createSessions } from './sessions.ts';

const managing = {
  promote: 'PromoteUser',
  demote: 'DemoteUser',
  disable: 'DisableUser',
  enable: 'EnableUser',
  delete: 'DeleteUser',
} as const;

const statusOnWire = { active: 1, banned: 2, deleted: 2 } as const;

export const createUserAdminRoutes = (services: Services): Routes => {
  const { accounts } = services;
  const sessions = createSessions(services);

  const create = async (call: Call): Promise<Answer> => {
    const { username, password, display_name, role } = call.body(createUserBody);
    if (role && role >= call.caller.role) return reject('user.above-you');
    const displayName = display_name ? display_name : username;
    const user = { username, password, displayName, role: 1, inviterId: null } as const;
    const created = await createUser(services, call, user);
    return created.kind === 'rejected' ? created : ok();
  };

  /** The form sends what the balance is to be; the books take what that adds or takes away. */
  const changeQuota = async (
    call: Call,
    { userId, quota, seen }: Readonly<{ userId: number; quota: number; seen: number | null }>,
  ): Promise<Answer> => {
    const books = await accounts.glance(userId);
    if (!books) return reject('account.not-open');
    const shown = seen ?? books.balance;
    const delta = quota - shown;
    if (delta === 0) return ok();
    const reason = `admin ${call.caller.userId} set the quota of user ${userId}`;
    const result = await call.book({
      type: 'AdjustQuota',
      data: { userId, delta, seen: shown, reason },
    });
    return result.kind === 'rejected' ? result : ok();
  };

  const resetPassword = async (
    call: Call,
    { userId, role }: Pick<KnownUser, 'userId' | 'role'>,
    password: string,
  ): Promise<Answer> => {
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
      },
    });
    if (result.kind === 'rejected') return result;
    if (own) await sessions.renew(call, own);
    return ok();
  };

  const changeGroup = async (call: Call, userId: number, group: string): Promise<Answer> => {
    const result = await call.perform(userDecider, userStreamId(userId), {
      type: 'ChangeGroup',
      data: { userId, group, actorRole: call.caller.role },
    });
    return result.kind === 'rejected' ? result : ok();
  };

  const edit = async (call: Call): Promise<Answer> => {
    const body = call.body(editUserBody);
    const { id: userId } = body;
    const { role: actorRole } = call.caller;
    const user = await loadUser(services, userId);
    if (!user) return reject('user.unknown');
    if (!mayActOn(actorRole, user.role)) return reject('user.above-you');
    if (body.role && body.role >= actorRole && actorRole !== 100) return reject('user.above-you');
    const steps: readonly (() => Promise<Answer>)[] = [
      () =>
        changeProfile(services, call, {
          userId,
          actorRole,
          username: body.username ?? '',
          displayName: body.display_name ?? '',
        }),
      async () => (body.group ? changeGroup(call, userId, body.group) : ok()),
      async () => (body.password ? resetPassword(call, user, body.password) : ok()),
      async () => {
        const { quota, quota_seen: seen } = body;
        return typeof quota === 'number'
          ? changeQuota(call, { userId, quota, seen: seen ?? null })
          : ok();
      },
    ];
    for (const step of steps) {
      const answer = await step();
      if (answer.kind === 'rejected') return answer;
    }
    return ok();
  };

  const manage = async (call: Call): Promise<Answer> => {
    const { id: userId, action } = call.body(manageUserBody);
    const { role: actorRole } = call.caller;
    const result = await call.perform(
      userDecider,
      userStreamId(userId),
      action === 'end_sessions'
        ? { type: 'EndSessions', data: { userId, actorRole, keptSessionId: null } }
        : { type: managing[action], data: { userId, actorRole } },
    );
    if (result.kind === 'rejected') return result;
    const user = await loadUser(services, userId);
    if (!user) return reject('user.unknown');
    return ok({ role: user.role, status: statusOnWire[user.status] });
  };

  return {
    'POST /api/user/': create,
    'PUT /api/user/': edit,
    'POST /api/user/manage': manage,
  };
};
