import { reject } from '../../domain/shared/decider.ts';
import { userDecider } from '../../domain/user/decider.ts';
import { userStreamId } from '../../domain/user/stream.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Logins } from '../../infra/ports/logins.ts';
import type { loginApi, oauthApi, telegramApi, wechatApi } from '../contract/login.ts';
import { ok } from '../http/answer.ts';
import type { CallTo, Handlers } from '../http/routes.ts';
import { createEnter, type EnterDeps } from './enter.ts';
import { createOAuthRoutes } from './oauth-routes.ts';
import { isFailure } from './refusals.ts';
import { createTelegramRoutes } from './telegram-routes.ts';
import { createWeChatRoutes } from './wechat-routes.ts';

type Deps = EnterDeps & Readonly<{ logger: Logger; logins: Logins }>;

type LoginRoutes = Handlers<
  typeof loginApi & typeof oauthApi & typeof wechatApi & typeof telegramApi
>;

/** Sign-in by a login provider, and what is linked to one. */
export const createLoginRoutes = (deps: Deps): LoginRoutes => {
  const { logger, logins } = deps;
  const enter = createEnter(deps);

  const unlink = async (call: CallTo<'DELETE /api/user/self/identity/:provider'>) => {
    const { provider } = call.params;
    const { userId } = call.caller;
    const result = await call.perform(userDecider, userStreamId(userId), {
      type: 'UnlinkIdentity',
      data: { userId, provider },
    });
    return result.kind === 'rejected' ? result : ok();
  };

  /** For the settings form: browsers may not read another site's document, the server may. */
  const discover = async ({ body }: CallTo<'POST /api/option/oidc_discovery'>) => {
    const found = await logins.discover(body.well_known);
    if (isFailure(found)) {
      logger.warn({ ...found }, 'OpenID discovery failed');
      return reject('login.discovery-failed');
    }
    return ok({
      issuer: found.issuer,
      authorization_endpoint: found.authorizationEndpoint,
      token_endpoint: found.tokenEndpoint,
      userinfo_endpoint: found.userInfoEndpoint,
    });
  };

  return {
    ...createOAuthRoutes(deps, enter),
    ...createWeChatRoutes(deps, enter),
    ...createTelegramRoutes(deps, enter),
    'DELETE /api/user/self/identity/:provider': unlink,
    'POST /api/option/oidc_discovery': discover,
  };
};
