import { SoftwarePasskey } from './authenticator.ts';
import type { ConsoleClient } from './console-client.ts';
import { AuthenticatorApp } from './totp.ts';

export type Enrolled = Readonly<{ app: AuthenticatorApp; codes: readonly string[] }>;

/** Gives a signed-in person an authenticator app. */
export const enrolTotp = async (client: ConsoleClient): Promise<Enrolled> => {
  const path = '/api/user/second_factors/totp';
  const begun = await client.ok<{ token: string; secret: string }>('POST', path, {});
  const app = new AuthenticatorApp(begun.secret);
  const proof = { token: begun.token, code: await app.nextCode() };
  const done = await client.ok<{ recovery_codes: string[] }>('PUT', path, proof);
  return { app, codes: done.recovery_codes };
};

/** Gives a signed-in person a passkey for the page at `origin`. */
export const addPasskey = async (
  client: ConsoleClient,
  at: Readonly<{ origin: string; rpId: string }>,
): Promise<SoftwarePasskey> => {
  const path = '/api/user/second_factors';
  const { token, options } = await client.ok<{ token: string; options: { challenge: string } }>(
    'POST',
    `${path}/passkey_options`,
    {},
  );
  const passkey = new SoftwarePasskey();
  const credential = passkey.register({ ...at, challenge: options.challenge });
  await client.ok('POST', `${path}/passkeys`, { token, name: 'Phone', credential });
  return passkey;
};

export type Step = Readonly<{
  methods: readonly string[];
  token: string;
  passkey?: Readonly<{ challenge: string; rpId: string }>;
}>;
type Answer = Readonly<{
  status: number;
  success: boolean;
  code?: string;
  data?: Readonly<{ id?: number; second_factor?: Step }>;
  cookies: readonly string[];
}>;

/** A browser in the two steps of a sign-in, from a separate network. */
export class SigningIn {
  readonly #url: string;
  readonly #ip: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string, ip = '203.0.113.7') {
    this.#url = url;
    this.#ip = ip;
  }

  get cookieNames(): readonly string[] {
    return [...this.#cookies.keys()];
  }

  async post(path: string, body: object): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(this.#url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'accept-language': 'en',
        'x-forwarded-for': this.#ip,
        ...(cookie === '' ? {} : { cookie }),
      },
      body: JSON.stringify(body),
    });
    const cookies = answer.headers.getSetCookie();
    for (const text of cookies) {
      const [name = '', value = ''] = (text.split(';')[0] ?? '').split('=');
      this.#cookies.set(name, value);
    }
    return { status: answer.status, cookies, ...JSON.parse(await answer.text()) };
  }

  async password(username: string, password: string): Promise<Step> {
    const answer = await this.post('/api/user/login', { username, password });
    const step = answer.data?.second_factor;
    if (step === undefined) throw new Error(`no second step: ${JSON.stringify(answer)}`);
    return step;
  }

  prove(proof: object): Promise<Answer> {
    return this.post('/api/user/login/second_factor', proof);
  }
}
