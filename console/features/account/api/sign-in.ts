import { useMutation } from '@tanstack/react-query';
import { postJson, withQuery } from '../../../shared/api/client.ts';
import { type StoredUser, storeUser } from '../../../shared/session.ts';

export const useLogin = (turnstile: string) =>
  useMutation({
    mutationFn: (form: Readonly<{ username: string; password: string }>) =>
      postJson<StoredUser>(withQuery('/api/user/login', { turnstile }), form),
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

export const useRegister = (turnstile: string) =>
  useMutation({
    mutationFn: (form: Registration) =>
      postJson(withQuery('/api/user/register', { turnstile }), form),
  });
