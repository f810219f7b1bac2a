import { z } from 'zod';
import type { LoginFailure, LoginProfile, LoginReturn, OAuthClient } from '../ports/logins.ts';
import { askJson } from './ask-json.ts';
import type { BoundedFetch } from './bounded-fetch.ts';
import { failed, isFailure } from './failure.ts';

export type LinuxDoAddresses = Readonly<{ linuxdo: string }>;

const tokenAnswer = z.object({ access_token: z.string().min(1) });
const userAnswer = z.object({
  id: z.number().int().positive(),
  username: z.string().nullish(),
  name: z.string().nullish(),
});

export const linuxDoAuthorizeUrl = (
  { linuxdo }: LinuxDoAddresses,
  { clientId, redirectUri }: OAuthClient,
  state: string,
): string => {
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
  };
  return `${linuxdo}/oauth2/authorize?${new URLSearchParams(query)}`;
};

export const createLinuxDo = (fetch: BoundedFetch, { linuxdo }: LinuxDoAddresses) => ({
  async profile(
    { clientId, clientSecret, redirectUri }: OAuthClient,
    { code }: LoginReturn,
  ): Promise<LoginProfile | LoginFailure> {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const tokens = await askJson(fetch, `${linuxdo}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
      }),
    });
    if (isFailure(tokens)) return tokens;
    const token = tokenAnswer.safeParse(tokens.body);
    if (!token.success) return failed('token', `status ${tokens.status} without an access token`);
    const user = await askJson(fetch, `${linuxdo}/api/user`, {
      headers: { authorization: `Bearer ${token.data.access_token}` },
    });
    if (isFailure(user)) return user;
    if (user.status !== 200) return failed('profile', `status ${user.status}`);
    const known = userAnswer.safeParse(user.body);
    if (!known.success) return failed('empty', 'no id');
    const { id, username, name } = known.data;
    return {
      externalId: String(id),
      label: null,
      username: '',
      displayName: name || username || 'Linux DO User',
      email: null,
    };
  },
});
