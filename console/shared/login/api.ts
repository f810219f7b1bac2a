import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, callForAnswer } from '../api/client.ts';
import { leaveFor } from '../leave.ts';
import { readLocal } from '../local-values.ts';
import type { SignInAnswer } from '../second-factor/api.ts';
import { toast } from '../toast.ts';

export type OAuthProvider = 'github' | 'oidc' | 'linuxdo';

/** Requests a state and leaves for the provider, which sends the browser to `/oauth/{provider}`. */
export const useBeginLogin = () => {
  const { t } = useTranslation('login');
  return useMutation({
    mutationFn: async (provider: OAuthProvider) => {
      const aff = readLocal('aff') ?? undefined;
      const query = { provider, aff };
      const { authorize_url } = await callForAnswer('GET /api/oauth/state', { query });
      if (!leaveFor(String(authorize_url))) toast('error', t('bad-address'));
    },
  });
};

export const loginByWeChat = (code: string): Promise<SignInAnswer> =>
  call('GET /api/oauth/wechat', { query: { code, aff: readLocal('aff') ?? undefined } });

/** The data of Telegram's widget, unchanged. */
export type TelegramUser = Readonly<Record<string, string | number>>;

export const loginByTelegram = (user: TelegramUser): Promise<SignInAnswer> =>
  call('GET /api/oauth/telegram/login', { query: user });
