import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { LoginProfile, Logins, OAuthProvider } from '../../infra/ports/logins.ts';
import type { SessionVerifier } from '../../infra/ports/sessions.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { LoginReturn, oauthApi } from '../contract/login.ts';
import { ok } from '../http/answer.ts';
import type { RejectionCode } from '../http/rejection-messages.ts';
import type { CallTo, Handlers } from '../http/routes.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { createLoginMark, signedIn } from './browser.ts';
import type { Enter } from './enter.ts';
import { createLoginStates, type LoginState } from './login-states.ts';
import { loginClient } from './providers.ts';
import { failureRefusal, isFailure, offRefusal } from './refusals.ts';

type Deps = Readonly<{
  bus: Bus;
  vault: Vault;
  sessionVerifier: SessionVerifier;
  clock: Clock;
  logger: Logger;
  logins: Logins;
  commands: CommandHandler;
  options: SiteOptions;
}>;

/** Refusals of a provider are shown as it words them, up to this length. */
const shownReason = 200;

/** Logins that send the browser to a provider and back with a code. */
export const createOAuthRoutes = (
  deps: Deps,
  { enter, bind }: Enter,
): Handlers<typeof oauthApi> => {
  const { logins, logger } = deps;
  const states = createLoginStates(deps);
  const mark = createLoginMark(deps);

  const state = async (call: CallTo<'GET /api/oauth/state'>) => {
    const { aff = '', provider } = call.query;
    const client = provider === undefined ? null : await loginClient(deps, provider);
    if (provider !== undefined && client === null) return offRefusal(provider);
    const browser = await mark.give(call);
    const binding = { browser, userId: await signedIn(deps, call) };
    const begun = await states.begin(binding, { provider: provider ?? null, aff });
    if (client === null) return ok(begun.state, {});
    const url = await logins.authorizeUrl(client, begun);
    if (!isFailure(url)) return ok(begun.state, { authorize_url: url });
    logger.warn({ provider: client.provider, ...url }, 'a login could not begin');
    return failureRefusal(client.provider, url);
  };

  /** The person that the provider names; its data is read only after the state. */
  const profileOf = async (
    provider: OAuthProvider,
    query: LoginReturn,
    begun: LoginState,
  ): Promise<LoginProfile | Rejected<RejectionCode>> => {
    const client = await loginClient(deps, provider);
    if (client === null) return offRefusal(provider);
    if (query.error !== '') {
      const reason = (query.error_description || query.error).slice(0, shownReason);
      return reject('login.provider-refused', { reason });
    }
    if (query.code === '') return reject('login.code-missing');
    const profile = await logins.profile(client, query, begun);
    if (!isFailure(profile)) return profile;
    logger.warn({ provider, ...profile }, 'a login failed');
    return failureRefusal(provider, profile);
  };

  const returned = async (call: CallTo<'GET /api/oauth/github'>, provider: OAuthProvider) => {
    const { query } = call;
    const userId = await signedIn(deps, call);
    const binding = { browser: mark.read(call), userId };
    const begun = await states.redeem(query.state, provider, binding);
    if (begun === null) return reject('login.state-invalid');
    const profile = await profileOf(provider, query, begun);
    if ('kind' in profile) return profile;
    const { externalId, label } = profile;
    const external = { provider, externalId, label };
    const answer =
      userId === null
        ? await enter(call, { external, profile, aff: begun.aff })
        : await bind(call, { external, userId });
    if (answer.kind === 'ok') {
      // The state and the return were both honest.
      await call.giveBackAttempt();
      await call.giveBackAttempt();
    }
    return answer;
  };

  return {
    'GET /api/oauth/state': state,
    'GET /api/oauth/github': (call) => returned(call, 'github'),
    'GET /api/oauth/oidc': (call) => returned(call, 'oidc'),
    'GET /api/oauth/linuxdo': (call) => returned(call, 'linuxdo'),
  };
};
