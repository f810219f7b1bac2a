import { useMutation, useQueryClient } from '@tanstack/react-query';
import { selfQuery } from '../../../shared/account.ts';
import { call, followed } from '../../../shared/api/client.ts';
import type { Sent } from '../../../shared/api/routes.ts';
import type { TelegramUser } from '../../../shared/login/api.ts';

export type IdentityProvider =
  Sent<'DELETE /api/user/self/identity/:provider'>['params']['provider'];

const useBindingChange = <T>(mutationFn: (input: T) => Promise<unknown>, isQuiet = false) => {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { isQuiet },
    mutationFn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: selfQuery.queryKey }),
  });
};

/** The caller shows what was refused. */
export const useBindEmail = () =>
  useBindingChange(
    (query: Readonly<{ email: string; code: string }>) =>
      call('GET /api/oauth/email/bind', { query }),
    true,
  );

export const useBindWeChat = () =>
  useBindingChange((code: string) => call('GET /api/oauth/wechat/bind', { query: { code } }));

/** A success leads on to a page, as the widget may also send the whole browser there. */
export const useBindTelegram = () =>
  useBindingChange((query: TelegramUser) => followed('GET /api/oauth/telegram/bind', { query }));

export const useUnbind = () =>
  useBindingChange((provider: IdentityProvider) =>
    call('DELETE /api/user/self/identity/:provider', { params: { provider } }),
  );
