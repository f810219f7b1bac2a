import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type StubClient = Readonly<{ clientId: string; clientSecret: string; redirectUri: string }>;
type GitHubUser = Readonly<{
  id: number;
  login: string;
  name?: string | null;
  email?: string | null;
}>;
type LinuxDoUser = Readonly<{ id: number; username: string; name?: string }>;

export const wechatToken = 'wechat-server-token';

export type LoginServices = Readonly<{
  url: string;
  /** Each call, oldest first: `METHOD path`. */
  calls: readonly string[];
  /** A person who has just agreed: the code that GitHub sends back with the browser. */
  githubCode: (user: GitHubUser | Readonly<Record<string, unknown>>) => string;
  linuxDoCode: (user: LinuxDoUser) => string;
  /** A person who has just sent the word to the account. */
  wechatCode: (openId: string) => string;
  /** `hang`: takes calls and never answers; `flood`: answers without end. */
  misbehave: (how: 'hang' | 'flood' | null) => void;
  close: () => Promise<void>;
}>;

const readBody = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

/**
 * GitHub, Linux DO and a WeChat companion server, as far as a login needs them: codes are good once,
 * for the client and the return address that they were given for.
 */
export const startLoginServices = async (client: StubClient): Promise<LoginServices> => {
  const codes = new Map<string, unknown>();
  const tokens = new Map<string, unknown>();
  const calls: string[] = [];
  let mischief: 'hang' | 'flood' | null = null;

  const issue = (prefix: string, whom: unknown): string => {
    const code = `${prefix}${randomBytes(8).toString('hex')}`;
    codes.set(code, whom);
    return code;
  };
  const spend = (code: string): unknown => {
    const whom = codes.get(code);
    codes.delete(code);
    return whom;
  };
  const send = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const exchange = (response: ServerResponse, code: string, isClient: boolean): void => {
    const whom = isClient ? spend(code) : undefined;
    const token = `token-${randomBytes(8).toString('hex')}`;
    if (whom !== undefined) tokens.set(token, whom);
    const refused = { error: 'bad_verification_code' };
    send(response, 200, whom === undefined ? refused : { access_token: token });
  };
  const bearer = ({ headers }: IncomingMessage): unknown =>
    tokens.get((headers.authorization ?? '').replace(/^Bearer /, ''));

  const githubToken = async (request: IncomingMessage, response: ServerResponse) => {
    const sent = JSON.parse(await readBody(request)) as Record<string, string>;
    const isClient =
      sent.client_id === client.clientId && sent.client_secret === client.clientSecret;
    exchange(response, sent.code ?? '', isClient);
  };
  const linuxDoToken = async (request: IncomingMessage, response: ServerResponse) => {
    const sent = new URLSearchParams(await readBody(request));
    const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
    const isClient =
      request.headers.authorization === `Basic ${basic}` &&
      sent.get('grant_type') === 'authorization_code' &&
      (sent.get('redirect_uri') ?? '').endsWith('/oauth/linuxdo');
    exchange(response, sent.get('code') ?? '', isClient);
  };
  const whoIs = async (request: IncomingMessage, response: ServerResponse) => {
    const user = bearer(request);
    if (user === undefined) return send(response, 401, { message: 'Bad credentials' });
    send(response, 200, user);
  };
  const wechatUser = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers.authorization !== wechatToken) {
      return send(response, 401, { success: false, message: 'no permission' });
    }
    const code = new URL(request.url ?? '/', 'http://stub').searchParams.get('code') ?? '';
    const id = spend(code);
    send(response, 200, { success: true, message: '', data: typeof id === 'string' ? id : '' });
  };

  const routes: Readonly<Record<string, typeof whoIs>> = {
    'POST /login/oauth/access_token': githubToken,
    'GET /user': whoIs,
    'POST /oauth2/token': linuxDoToken,
    'GET /api/user': whoIs,
    'GET /api/wechat/user': wechatUser,
  };

  const flood = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = `"${'x'.repeat(64 * 1024)}`;
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };

  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const key = `${request.method} ${path}`;
    calls.push(key);
    if (mischief === 'hang') return;
    if (mischief === 'flood') return flood(response);
    const route = routes[key];
    if (route === undefined) return send(response, 404, { message: 'Not Found' });
    void route(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    githubCode: (user) => issue('gh', user),
    linuxDoCode: (user) => issue('ld', user),
    wechatCode: (openId) => issue('wx', openId),
    misbehave: (how) => {
      mischief = how;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
