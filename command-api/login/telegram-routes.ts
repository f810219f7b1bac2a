import { reject } from '../../domain/shared/decider.ts';
import { isNavigation } from '../../infra/web/cross-site.ts';
import { telegramQuery } from '../contract/login.ts';
import { type Answer, redirect } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { Routes } from '../http/routes.ts';
import type { Services } from '../services.ts';
import type { Enter } from './enter.ts';
import type { External } from './identities.ts';
import { secretOption } from './providers.ts';
import { offRefusal } from './refusals.ts';
import { telegramId } from './telegram-signature.ts';

/** Telegram's widget hands signed fields to the page; nobody signs up by it. */
export const createTelegramRoutes = (services: Services, { enterKnown, bind }: Enter): Routes => {
  const { clock, options } = services;

  const whoSigned = async (call: Call): Promise<External | Answer> => {
    if (!(await options.isOn('TelegramOAuthEnabled'))) return offRefusal('telegram');
    const token = await secretOption(services, 'TelegramBotToken');
    const externalId = telegramId(call.query(telegramQuery), token, clock());
    if (externalId === null) return reject('login.telegram-invalid');
    return { provider: 'telegram', externalId, label: null };
  };

  const login = async (call: Call): Promise<Answer> => {
    // A link that leads the browser here may carry the account of whoever made it.
    if (isNavigation(call.request.headers)) return reject('login.foreign-page');
    const external = await whoSigned(call);
    if ('kind' in external) return external;
    const answer = (await enterKnown(call, external)) ?? reject('login.telegram-unbound');
    if (answer.kind === 'ok') await call.giveBackAttempt();
    return answer;
  };

  /** The widget may also send the whole browser here, so the answer leads on. */
  const link = async (call: Call): Promise<Answer> => {
    const external = await whoSigned(call);
    if ('kind' in external) return external;
    const answer = await bind(call, { external, userId: call.caller.userId });
    return answer.kind === 'ok' ? redirect('/setting') : answer;
  };

  return { 'GET /api/oauth/telegram/login': login, 'GET /api/oauth/telegram/bind': link };
};
