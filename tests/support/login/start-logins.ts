import type { UserLoggedIn, UserRegistered } from '../../../domain/user/events.ts';
import { type Person, startWriteSide, type WriteSide } from '../write-side.ts';
import {
  type LoginServices,
  type StubClient,
  startLoginServices,
  wechatToken,
} from './stub-services.ts';
import { botToken } from './telegram.ts';
import { Visitor } from './visitor.ts';

export const serverAddress = 'https://gate.test';
export const stubClient = (provider: 'github' | 'oidc' | 'linuxdo'): StubClient => ({
  clientId: 'tollgate',
  clientSecret: 'the-client-secret',
  redirectUri: `${serverAddress}/oauth/${provider}`,
});

export type LoginSide = Readonly<{
  side: WriteSide;
  root: Person;
  services: LoginServices;
  visitor: () => Visitor;
  /** As the settings form: one option after the other, each accepted. */
  set: (options: Readonly<Record<string, string>>) => Promise<void>;
  registered: () => readonly UserRegistered['data'][];
  logins: () => readonly UserLoggedIn['data'][];
  stop: () => Promise<void>;
}>;

/** A site whose providers are real HTTP servers of this test, all switched on but OIDC. */
export const startLogins = async (attempts?: number): Promise<LoginSide> => {
  const services = await startLoginServices(stubClient('github'));
  const { url } = services;
  const side = await startWriteSide({
    loginEndpoints: { github: url, githubApi: url, linuxdo: url },
    ...(attempts === undefined ? {} : { attempts }),
  });
  const root = await side.root();
  const set = async (options: Readonly<Record<string, string>>): Promise<void> => {
    for (const [key, value] of Object.entries(options)) {
      const { body } = await root.call('PUT', '/api/option/', { body: { key, value } });
      if (body.success !== true) throw new Error(`${key}: ${String(body.message)}`);
    }
  };
  const { clientId, clientSecret } = stubClient('github');
  await set({
    ServerAddress: serverAddress,
    GitHubClientId: clientId,
    GitHubClientSecret: clientSecret,
    GitHubOAuthEnabled: 'true',
    LinuxDOClientId: clientId,
    LinuxDOClientSecret: clientSecret,
    LinuxDOOAuthEnabled: 'true',
    WeChatServerAddress: url,
    WeChatServerToken: wechatToken,
    WeChatAuthEnabled: 'true',
    TelegramBotToken: botToken,
    TelegramBotName: 'tollgate_bot',
    TelegramOAuthEnabled: 'true',
  });
  return {
    side,
    root,
    services,
    set,
    visitor: () => new Visitor(side.app),
    registered: () =>
      side.events<UserRegistered['data']>('UserRegistered').filter(({ role }) => role === 1),
    logins: () =>
      side
        .events<UserLoggedIn['data']>('UserLoggedIn')
        .filter(({ method }) => method !== 'password'),
    stop: async () => {
      await side.stop();
      await services.close();
    },
  };
};

/** Switches OIDC on, by the discovery document of a provider. */
export const oidcOptions = (wellKnown: string): Readonly<Record<string, string>> => ({
  'oidc.well_known': wellKnown,
  'oidc.client_id': stubClient('oidc').clientId,
  'oidc.client_secret': stubClient('oidc').clientSecret,
  'oidc.enabled': 'true',
});
