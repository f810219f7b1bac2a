import { checkAnswer } from './declared-routes.ts';

type Answer<T> = Readonly<{ success: boolean; message: string; code?: string; data: T }>;

/** The console API as a browser calls it: cookie, user-id header, JSON. */
export class ConsoleClient {
  readonly #url: string;
  /** Of every call: where the browser is, and which one it is. */
  readonly #ownHeaders: Readonly<Record<string, string>>;
  #cookie = '';
  #userId = -1;

  constructor(url: string, ownHeaders: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#ownHeaders = ownHeaders;
  }

  get userId(): number {
    return this.#userId;
  }

  /** The headers of a signed-in browser, for calls made by other means. */
  get headers(): Record<string, string> {
    return { cookie: this.#cookie, 'new-api-user': String(this.#userId) };
  }

  async call<T = unknown>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        'accept-language': 'en',
        ...this.#ownHeaders,
        ...this.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const cookie = answer.headers.getSetCookie().find((text) => text.startsWith('session='));
    if (cookie !== undefined) this.#cookie = cookie.split(';')[0] ?? '';
    const text = await answer.text();
    let parsed: Answer<T>;
    try {
      parsed = JSON.parse(text);
    } catch {
      throw new Error(`${method} ${path}: HTTP ${answer.status} ${text.slice(0, 300)}`);
    }
    checkAnswer(`${method} ${path}`, answer.status, parsed);
    return parsed;
  }

  /** As `call`, and a refusal is an error. */
  async ok<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call<T>(method, path, body);
    if (!answer.success) throw new Error(`${method} ${path}: ${answer.message}`);
    return answer.data;
  }

  async login(username: string, password: string): Promise<void> {
    const user = await this.ok<{ id: number }>('POST', '/api/user/login', { username, password });
    this.#userId = user.id;
  }
}

export const rootUser = { username: 'root', password: 'correct-horse' } as const;

/** Sets a fresh site up and signs its super admin in. */
export const setUpSite = async (url: string): Promise<ConsoleClient> => {
  const client = new ConsoleClient(url);
  await client.ok('POST', '/api/setup', {
    ...rootUser,
    confirmPassword: rootUser.password,
    SelfUseModeEnabled: false,
    DemoSiteEnabled: false,
  });
  await client.login(rootUser.username, rootUser.password);
  return client;
};

/** A channel of the OpenAI type at the given address. */
export const addChannel = (
  client: ConsoleClient,
  baseUrl: string,
  extra: Readonly<Record<string, unknown>> = {},
): Promise<unknown> =>
  client.ok('POST', '/api/channel/', {
    type: 1,
    name: 'stub',
    key: 'sk-upstream',
    base_url: baseUrl,
    models: 'gpt-4o-mini,gpt-4o,text-embedding-3-small,gpt-3.5-turbo-instruct',
    group: 'default',
    ...extra,
  });

export type TokenRow = Readonly<{
  id: number;
  key: string;
  name: string;
  status: number;
  remain_quota: number;
  used_quota: number;
  unlimited_quota: boolean;
}>;

/** Creates a token and answers its row, key included. */
export const addToken = async (
  client: ConsoleClient,
  terms: Readonly<Record<string, unknown>> = {},
): Promise<TokenRow> => {
  await client.ok('POST', '/api/token/', {
    name: 'test',
    remain_quota: 500_000,
    expired_time: -1,
    unlimited_quota: true,
    ...terms,
  });
  const [newest] = await client.ok<TokenRow[]>('GET', '/api/token/?p=0&size=10');
  if (newest === undefined) throw new Error('the token that was just made is not in the list');
  return newest;
};

export type SelfRow = Readonly<{
  id: number;
  quota: number;
  used_quota: number;
  request_count: number;
}>;
export const self = (client: ConsoleClient): Promise<SelfRow> =>
  client.ok<SelfRow>('GET', '/api/user/self');

export type LogRow = Readonly<{
  id: number;
  type: number;
  quota: number;
  model_name: string;
  prompt_tokens: number;
  completion_tokens: number;
  is_stream: boolean;
  token_id: number;
  channel: number;
  other: string;
}>;
type Page<T> = Readonly<{ items: T[]; total: number }>;

/** Every usage-log row of the given type, newest first. */
export const allLogs = async (client: ConsoleClient, type: number): Promise<LogRow[]> =>
  (await client.ok<Page<LogRow>>('GET', `/api/log/?p=1&page_size=10000&type=${type}`)).items;
