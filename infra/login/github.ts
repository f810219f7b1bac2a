import { z } from 'zod';
import type { LoginFailure, LoginProfile, LoginReturn, OAuthClient } from '../ports/logins.ts';
import { askJson } from './ask-json.ts';
import type { BoundedFetch } from './bounded-fetch.ts';
import { failed, isFailure } from './failure.ts';

export type GitHubAddresses = Readonly<{ github: string; githubApi: string }>;

/** GitHub answers 200 also when it refuses a code. */
const tokenAnswer = z.object({ access_token: z.string().min(1) });
const userAnswer = z.object({
  id: z.number().int().positive(),
  login: z.string().min(1),
  name: z.string().nullish(),
  email: z.string().nullish(),
});

export const githubAuthorizeUrl = (
  { github }: GitHubAddresses,
  { clientId, redirectUri }: OAuthClient,
  state: string,
): string => {
  const query = { client_id: clientId, redirect_uri: redirectUri, state, scope: 'user:email' };
  return `${github}/login/oauth/authorize?${new URLSearchParams(query)}`;
};

/**
 * The identity is GitHub's number: a login can be renamed, and then be taken by another person. The
 * address is the public one, which GitHub has verified.
 */
export const createGitHub = (fetch: BoundedFetch, { github, githubApi }: GitHubAddresses) => ({
  async profile(
    { clientId, clientSecret, redirectUri }: OAuthClient,
    { code }: LoginReturn,
  ): Promise<LoginProfile | LoginFailure> {
    const tokens = await askJson(fetch, `${github}/login/oauth/access_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: clientId,
        client_secret: clientSecret,
        code,
        redirect_uri: redirectUri,
      }),
    });
    if (isFailure(tokens)) return tokens;
    const token = tokenAnswer.safeParse(tokens.body);
    if (!token.success) return failed('token', `status ${tokens.status} without an access token`);
    const user = await askJson(fetch, `${githubApi}/user`, {
      headers: { authorization: `Bearer ${token.data.access_token}` },
    });
    if (isFailure(user)) return user;
    if (user.status !== 200) return failed('profile', `status ${user.status}`);
    const known = userAnswer.safeParse(user.body);
    if (!known.success) return failed('empty', 'no id or no login');
    const { id, login, name, email } = known.data;
    return {
      externalId: String(id),
      label: login,
      username: '',
      displayName: name || 'GitHub User',
      email: email || null,
    };
  },
});
