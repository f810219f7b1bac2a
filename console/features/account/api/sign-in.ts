import { useMutation } from '@tanstack/react-query';
import { postJson, withQuery } from '../../../shared/api/client.ts';
import type { SignInAnswer } from '../../../shared/second-factor/api.ts';
import { storeUser } from '../../../shared/session.ts';

export const useLogin = (turnstile: string) =>
  useMutation({
    meta: { isQuiet: true },
    mutationFn: (form: Readonly<{ username: string; password: string }>) =>
      postJson<SignInAnswer>(withQuery('/api/user/login', { turnstile }), form),
    onSuccess: (answer) => {
      if (!('second_factor' in answer)) storeUser(answer);
    },
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
    meta: { isQuiet: true },
    mutationFn: (form: Registration) =>
      postJson(withQuery('/api/user/register', { turnstile }), form),
  });
