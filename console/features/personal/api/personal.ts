import { useMutation } from '@tanstack/react-query';
import { getJson, putJson } from '../../../shared/api/client.ts';

/** GET /api/user/token: makes a new system token each time and ends the old one. */
export const useIssueAccessToken = () =>
  useMutation({ mutationFn: () => getJson<string>('/api/user/token') });

export const useChangePassword = () =>
  useMutation({
    mutationFn: (form: Readonly<{ original_password: string; password: string }>) =>
      putJson('/api/user/self', form),
  });
