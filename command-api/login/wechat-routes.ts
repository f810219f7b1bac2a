import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Logins } from '../../infra/ports/logins.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { isNavigation } from '../../infra/web/cross-site.ts';
import type { wechatApi } from '../contract/login.ts';
import type { RejectionCode } from '../http/rejection-messages.ts';
import type { CallTo, Handlers } from '../http/routes.ts';
import type { SiteOptions } from '../options/site-options.ts';
import type { Enter } from './enter.ts';
import type { External } from './identities.ts';
import { secretOption } from './providers.ts';
import { failureRefusal, isFailure, offRefusal } from './refusals.ts';

type Deps = Readonly<{
  vault: Vault;
  logger: Logger;
  logins: Logins;
  options: SiteOptions;
}>;

/** WeChat has no way back to a browser: people type a code that a companion server gave them. */
export const createWeChatRoutes = (
  deps: Deps,
  { enter, bind }: Enter,
): Handlers<typeof wechatApi> => {
  const { logins, logger, options } = deps;

  const whoSent = async (code: string): Promise<External | Rejected<RejectionCode>> => {
    const address = await options.text('WeChatServerAddress');
    if (!(await options.isOn('WeChatAuthEnabled')) || address === '') return offRefusal('wechat');
    if (code === '') return reject('login.code-missing');
    const token = await secretOption(deps, 'WeChatServerToken');
    const externalId = await logins.wechatId({ address, token }, code);
    if (isFailure(externalId)) {
      logger.warn({ ...externalId }, 'the WeChat server did not identify the sender of a code');
      return failureRefusal('wechat', externalId);
    }
    if (externalId === '') return reject('login.wechat-code-wrong');
    return { provider: 'wechat', externalId, label: null };
  };

  const login = async (call: CallTo<'GET /api/oauth/wechat'>) => {
    // A link that leads the browser here may carry the account of its sender.
    if (isNavigation(call.request.headers)) return reject('login.foreign-page');
    const { code, aff = '' } = call.query;
    const external = await whoSent(code);
    if ('kind' in external) return external;
    const profile = { username: '', displayName: 'WeChat User', email: null };
    const answer = await enter(call, { external, profile, aff });
    if (answer.kind === 'ok') await call.giveBackAttempt();
    return answer;
  };

  const link = async (call: CallTo<'GET /api/oauth/wechat/bind'>) => {
    const external = await whoSent(call.query.code);
    return 'kind' in external ? external : bind(call, { external, userId: call.caller.userId });
  };

  return { 'GET /api/oauth/wechat': login, 'GET /api/oauth/wechat/bind': link };
};
