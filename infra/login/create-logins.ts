import type { Logins } from '../ports/logins.ts';
import { createBoundedFetch } from './bounded-fetch.ts';
import { createGitHub, githubAuthorizeUrl } from './github.ts';
import { createLinuxDo, linuxDoAuthorizeUrl } from './linuxdo.ts';
import { createOidc } from './oidc.ts';
import { createWeChat } from './wechat.ts';

/** Without a slash at the end. */
export type LoginEndpoints = Readonly<{ github: string; githubApi: string; linuxdo: string }>;

export const createLogins = (endpoints: LoginEndpoints): Logins => {
  const fetch = createBoundedFetch();
  const github = createGitHub(fetch, endpoints);
  const linuxdo = createLinuxDo(fetch, endpoints);
  const oidc = createOidc(fetch);
  const wechat = createWeChat(fetch);
  return {
    async authorizeUrl(client, attempt) {
      switch (client.provider) {
        case 'github':
          return githubAuthorizeUrl(endpoints, client, attempt.state);
        case 'linuxdo':
          return linuxDoAuthorizeUrl(endpoints, client, attempt.state);
        case 'oidc':
          return oidc.authorizeUrl(client, attempt);
      }
    },
    async profile(client, returned, attempt) {
      switch (client.provider) {
        case 'github':
          return github.profile(client, returned);
        case 'linuxdo':
          return linuxdo.profile(client, returned);
        case 'oidc':
          return oidc.profile(client, returned, attempt);
      }
    },
    wechatId: wechat.idOf,
    discover: oidc.discover,
  };
};
