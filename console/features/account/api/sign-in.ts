import { useMutation } from '@tanstack/react-query';
import { getJson, postJson, withQuery } from '../../../shared/api/client.ts';
import { type StoredUser, storeUser } from '../../../shared/session.ts';

export const useLogin = () =>
  useMutation({
    mutationFn: (form: Readonly<{ username: string; password: string }>) =>
      postJson<StoredUser>(withQuery('/api/user/login', { turnstile: '' }), form),
    onSuccess: storeUser,
  });

export type Registration = Readonly<{
  username: string;
  password: string;
  password2: string;
  email: string;
  verification_code: string;
  aff_code: string;
}>;

export const useRegister = () =>
  useMutation({
    mutationFn: (form: Registration) =>
      postJson(withQuery('/api/user/register', { turnstile: '' }), form),
  });

/** GET /api/verification: mails a code to the address. */
export const useSendCode = () =>
  useMutation({
    mutationFn: (email: string) => getJson('/api/verification', { email, turnstile: '' }),
  });
