import { useMutation } from '@tanstack/react-query';
import { getJson, postJson } from '../../../shared/api/client.ts';

/** Mails a link that resets the password of the account with this address. */
export const useSendResetLink = (turnstile: string) =>
  useMutation({
    meta: { isQuiet: true },
    mutationFn: (email: string) => getJson('/api/reset_password', { email, turnstile }),
  });

/** Answers with the new password. */
export const useConfirmReset = () =>
  useMutation({
    mutationFn: (link: Readonly<{ email: string; token: string }>) =>
      postJson<string>('/api/user/reset', link),
  });
