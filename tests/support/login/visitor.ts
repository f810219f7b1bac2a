import type { FastifyInstance } from 'fastify';

type Answer = Readonly<{
  status: number;
  location: string | undefined;
  setCookies: readonly string[];
  body: Readonly<Record<string, unknown>>;
}>;

/** A browser at the console: keeps every cookie, and sends what our own pages send. */
export class Visitor {
  readonly #app: FastifyInstance;
  readonly cookies = new Map<string, string>();
  userId = -1;

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    sent: Readonly<{
      query?: Readonly<Record<string, string>>;
      body?: object;
      headers?: Readonly<Record<string, string>>;
    }> = {},
  ): Promise<Answer> {
    const query = sent.query === undefined ? '' : `?${new URLSearchParams(sent.query)}`;
    const response = await this.#app.inject({
      method,
      url: `${path}${query}`,
      headers: {
        'new-api-user': String(this.userId),
        'accept-language': 'en',
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...sent.headers,
      },
      ...(sent.body === undefined ? {} : { payload: sent.body }),
    });
    const setCookies = [response.headers['set-cookie'] ?? []].flat().map(String);
    for (const cookie of setCookies) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.location;
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
    const body: Record<string, unknown> = isJson ? response.json() : {};
    return {
      status: response.statusCode,
      location: location === undefined ? undefined : String(location),
      setCookies,
      body,
    };
  }

  /** After a login: pages of the console name who is signed in from now on. */
  remember({ body }: Answer): void {
    const { id } = (body.data ?? {}) as { id?: number };
    if (id !== undefined) this.userId = id;
  }

  /** Begins a login as the console does: the state, and where the browser goes. */
  async begin(
    provider: 'github' | 'oidc' | 'linuxdo',
    aff?: string,
  ): Promise<Readonly<{ state: string; url: string }>> {
    const query = { provider, ...(aff === undefined ? {} : { aff }) };
    const { body } = await this.call('GET', '/api/oauth/state', { query });
    if (body.success !== true) throw new Error(String(body.message));
    return { state: String(body.data), url: String(body.authorize_url) };
  }

  /** Returns from a provider with the parameters that it issued. */
  async return(
    provider: 'github' | 'oidc' | 'linuxdo',
    query: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const answer = await this.call('GET', `/api/oauth/${provider}`, { query });
    this.remember(answer);
    return answer;
  }
}
