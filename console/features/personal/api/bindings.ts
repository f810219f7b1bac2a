import { useMutation, useQueryClient } from '@tanstack/react-query';
import { selfQuery } from '../../../shared/account.ts';
import { deleteJson, followed, getJson } from '../../../shared/api/client.ts';
import type { TelegramUser } from '../../../shared/login/api.ts';

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
    (proof: Readonly<{ email: string; code: string }>) => getJson('/api/oauth/email/bind', proof),
    true,
  );

export const useBindWeChat = () =>
  useBindingChange((code: string) => getJson('/api/oauth/wechat/bind', { code }));

/** A success leads on to a page, as the widget may also send the whole browser there. */
export const useBindTelegram = () =>
  useBindingChange((user: TelegramUser) => followed('/api/oauth/telegram/bind', user));

export const useUnbind = () =>
  useBindingChange((provider: string) => deleteJson(`/api/user/self/identity/${provider}`));
