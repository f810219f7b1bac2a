import { reject } from '../../domain/shared/decider.ts';
import { userDecider } from '../../domain/user/decider.ts';
import { userStreamId } from '../../domain/user/stream.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Logins } from '../../infra/ports/logins.ts';
import { identityInPath, oidcDiscoveryBody } from '../contract/login.ts';
import { type Answer, ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { Routes } from '../http/routes.ts';
import { createEnter, type EnterDeps } from './enter.ts';
import { createOAuthRoutes } from './oauth-routes.ts';
import { isFailure } from './refusals.ts';
import { createTelegramRoutes } from './telegram-routes.ts';
import { createWeChatRoutes } from './wechat-routes.ts';

type Deps = EnterDeps & Readonly<{ logger: Logger; logins: Logins }>;

/** Who comes by a login provider, and what they keep linked. */
export const createLoginRoutes = (deps: Deps): Routes => {
  const { logger, logins } = deps;
  const enter = createEnter(deps);

  const unlink = async (call: Call): Promise<Answer> => {
    const { provider } = call.params(identityInPath);
    const { userId } = call.caller;
    const result = await call.perform(userDecider, userStreamId(userId), {
      type: 'UnlinkIdentity',
      data: { userId, provider },
    });
    return result.kind === 'rejected' ? result : ok();
  };

  /** For the settings form: browsers may not read another site's document, the server may. */
  const discover = async (call: Call): Promise<Answer> => {
    const { well_known } = call.body(oidcDiscoveryBody);
    const found = await logins.discover(well_known);
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
