import { useMutation } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';
import type { BodyOf, Filled } from '../../../shared/api/routes.ts';
import { storeUser } from '../../../shared/session.ts';

export const useLogin = (turnstile: string) =>
  useMutation({
    meta: { isQuiet: true },
    mutationFn: (body: Readonly<{ username: string; password: string }>) =>
      call('POST /api/user/login', { query: { turnstile }, body }),
    onSuccess: (answer) => {
      if (!('second_factor' in answer)) storeUser(answer);
    },
  });

export type Registration = Filled<BodyOf<'POST /api/user/register'>>;

export const useRegister = (turnstile: string) =>
  useMutation({
    meta: { isQuiet: true },
    mutationFn: (body: Registration) =>
      call('POST /api/user/register', { query: { turnstile }, body }),
  });
