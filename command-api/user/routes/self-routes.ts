import { createHash, randomBytes } from 'node:crypto';
import { reject } from '../../../domain/shared/decider.ts';
import { userDecider } from '../../../domain/user/decider.ts';
import { accessTokenClaimStreamId, userStreamId } from '../../../domain/user/stream.ts';
import { accessTokenHash } from '../../../infra/web/access-token.ts';
import type { selfApi } from '../../contract/user.ts';
import { ok, okWithWords } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { CallTo, Handlers } from '../../http/routes.ts';
import { derivedMetadata } from '../../shared/metadata.ts';
import { loadUser } from '../find-user.ts';
import { createSessions } from '../sessions.ts';
import { type ChangePasswordDeps, createChangePassword } from './change-password.ts';
import { type ChangeProfileDeps, changeProfile } from './change-profile.ts';
import { settingsFrom, settingsProblem } from './settings.ts';

type Deps = ChangePasswordDeps & ChangeProfileDeps;

const settingsSaved = { zh: '设置已更新', en: 'Settings saved' };
/** The stored secret was entered for another address and is cleared. */
const secretForgotten = {
  zh: '设置已更新。原来的接口凭证不会发往新的地址，已被清除，请重新填写',
  en: 'Settings saved. The stored secret is not sent to another address: enter it again',
};
const transferred = { zh: '划转成功', en: 'Transferred' };

export const createSelfRoutes = (deps: Deps): Handlers<typeof selfApi> => {
  const { claims, options, personalKeys, vault } = deps;
  const sessions = createSessions(deps);
  const changePassword = createChangePassword(deps);

  const changeSelf = async (call: CallTo<'PUT /api/user/self'>) => {
    const { body } = call;
    const { userId } = call.caller;
    const changed = await changeProfile(deps, call, {
      userId,
      actorRole: 'self',
      username: body.username ?? '',
      displayName: body.display_name ?? '',
    });
    if (changed.kind === 'rejected' || !body.password) return changed;
    const { password, original_password: original } = body;
    return changePassword(call, { password, original: original ?? '' });
  };

  const deleteSelf = async (call: Call) => {
    const { userId } = call.caller;
    const result = await call.perform(userDecider, userStreamId(userId), {
      type: 'DeleteUser',
      data: { userId, actorRole: 'self' },
    });
    if (result.kind === 'rejected') return result;
    await sessions.removeCookie(call);
    return ok();
  };

  const endSession = async (call: CallTo<'DELETE /api/user/sessions/:id'>) => {
    const { id } = call.params;
    const { userId, session } = call.caller;
    const result = await sessions.end(call, { id, userId }, 'revoked');
    if (result.kind === 'rejected') return result;
    if (session?.id === id) await sessions.removeCookie(call);
    return ok();
  };

  /** "Log out everywhere", here as well unless the caller keeps this session. */
  const endSessions = async (call: CallTo<'DELETE /api/user/sessions'>) => {
    const { keep_current } = call.query;
    const { userId, session } = call.caller;
    const kept = keep_current === 'true' ? session : null;
    const result = await call.perform(userDecider, userStreamId(userId), {
      type: 'EndSessions',
      data: { userId, actorRole: 'self', keptSessionId: kept?.id ?? null },
    });
    if (result.kind === 'rejected') return result;
    await (kept === null ? sessions.removeCookie(call) : sessions.renew(call, kept));
    return ok();
  };

  /** 32 characters. A repeated request must get the same one, and only its hash is stored. */
  const newAccessToken = ({ isRepeatable, metadata }: Call): string =>
    isRepeatable
      ? createHash('sha256')
          .update(vault.claimHash('access-token', metadata.commandId))
          .digest()
          .subarray(0, 24)
          .toString('base64')
      : randomBytes(24).toString('base64');

  const issueAccessToken = async (call: Call) => {
    const { userId } = call.caller;
    const token = newAccessToken(call);
    const hash = accessTokenHash(token);
    await claims.claim(
      {
        kind: 'accessToken',
        streamId: accessTokenClaimStreamId(hash),
        ownerId: userId,
        ownerStreamId: userStreamId(userId),
      },
      derivedMetadata(call.metadata, 'access-token'),
    );
    const result = await call.perform(userDecider, userStreamId(userId), {
      type: 'IssueAccessToken',
      data: { userId, accessTokenHash: hash },
    });
    return result.kind === 'rejected' ? result : ok(token);
  };

  const changeSettings = async (call: CallTo<'PUT /api/user/setting'>) => {
    const { body } = call;
    const problem = settingsProblem(body);
    if (problem) return reject(problem);
    const { userId } = call.caller;
    const seal = await personalKeys.get(userId);
    if (!seal) return reject('user.unknown');
    const before = await loadUser(deps, userId);
    const result = await call.perform(userDecider, userStreamId(userId), {
      type: 'ChangeUserSettings',
      data: { userId, settings: settingsFrom(body, seal) },
    });
    if (result.kind === 'rejected') return result;
    const [changed] = result.events;
    const hasSecret =
      changed?.type !== 'UserSettingsChanged' || changed.data.settings.webhookSecret;
    const isForgotten = !hasSecret && body.webhook_url && before?.settings?.webhookSecret;
    return okWithWords(isForgotten ? secretForgotten : settingsSaved);
  };

  const transferReward = async (call: CallTo<'POST /api/user/aff_transfer'>) => {
    const { quota } = call.body;
    const min = await options.number('QuotaPerUnit');
    if (quota < min) return reject('user.transfer-too-small', { min });
    const { userId } = call.caller;
    const result = await call.book({
      type: 'TransferReferralReward',
      data: { userId, amount: quota },
    });
    return result.kind === 'rejected' ? result : okWithWords(transferred);
  };

  return {
    'PUT /api/user/self': changeSelf,
    'DELETE /api/user/self': deleteSelf,
    'DELETE /api/user/sessions/:id': endSession,
    'DELETE /api/user/sessions': endSessions,
    'GET /api/user/token': issueAccessToken,
    'PUT /api/user/setting': changeSettings,
    'POST /api/user/aff_transfer': transferReward,
  };
};
