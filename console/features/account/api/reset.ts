import { useMutation } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';

/** Mails a link that resets the password of the account with this address. */
export const useSendResetLink = (turnstile: string) =>
  useMutation({
    meta: { isQuiet: true },
    mutationFn: (email: string) => call('GET /api/reset_password', { query: { email, turnstile } }),
  });

/** Returns the new password. */
export const useConfirmReset = () =>
  useMutation({
    mutationFn: (body: Readonly<{ email: string; token: string }>) =>
      call('POST /api/user/reset', { body }),
  });
