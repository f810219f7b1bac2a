import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { isNavigation } from '../../infra/web/cross-site.ts';
import type { telegramApi } from '../contract/login.ts';
import type { RejectionCode } from '../http/rejection-messages.ts';
import type { CallTo, Handlers } from '../http/routes.ts';
import type { SiteOptions } from '../options/site-options.ts';
import type { Enter } from './enter.ts';
import type { External } from './identities.ts';
import { secretOption } from './providers.ts';
import { offRefusal } from './refusals.ts';
import { telegramId } from './telegram-signature.ts';

type Deps = Readonly<{
  vault: Vault;
  clock: Clock;
  options: SiteOptions;
}>;

/** Telegram's widget hands signed fields to the page; it signs no one up. */
type LoginCall = CallTo<'GET /api/oauth/telegram/login'>;

export const createTelegramRoutes = (
  deps: Deps,
  { enterKnown, bind }: Enter,
): Handlers<typeof telegramApi> => {
  const { clock, options } = deps;

  const whoSigned = async ({
    query,
  }: Pick<LoginCall, 'query'>): Promise<External | Rejected<RejectionCode>> => {
    if (!(await options.isOn('TelegramOAuthEnabled'))) return offRefusal('telegram');
    const token = await secretOption(deps, 'TelegramBotToken');
    const externalId = telegramId(query, token, clock());
    if (externalId === null) return reject('login.telegram-invalid');
    return { provider: 'telegram', externalId, label: null };
  };

  const login = async (call: LoginCall) => {
    // A link that leads the browser here may carry the account of its sender.
    if (isNavigation(call.request.headers)) return reject('login.foreign-page');
    const external = await whoSigned(call);
    if ('kind' in external) return external;
    const answer = (await enterKnown(call, external)) ?? reject('login.telegram-unbound');
    if (answer.kind === 'ok') await call.giveBackAttempt();
    return answer;
  };

  /** The widget may also send the whole browser here, so the answer leads on. */
  const link = async (call: CallTo<'GET /api/oauth/telegram/bind'>) => {
    const external = await whoSigned(call);
    if ('kind' in external) return external;
    const answer = await bind(call, { external, userId: call.caller.userId });
    return answer.kind === 'ok' ? ({ kind: 'redirect', to: '/setting' } as const) : answer;
  };

  return { 'GET /api/oauth/telegram/login': login, 'GET /api/oauth/telegram/bind': link };
};
