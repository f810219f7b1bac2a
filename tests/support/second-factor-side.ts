import { expect } from 'vitest';
import { SoftwarePasskey } from './authenticator.ts';
import { AuthenticatorApp } from './totp.ts';
import { type Person, rootUser, type WriteSide } from './write-side.ts';

/* Second factors of people of the write side, without a browser. */

export const site = { origin: 'https://gate.example', rpId: 'gate.example' };

export type Data = Readonly<Record<string, unknown>>;
export const dataOf = <T = Data>({ body }: { body: Data }): T => {
  expect(body).toMatchObject({ success: true });
  return body.data as T;
};
export const enrolTotp = async (person: Person) => {
  const begun = dataOf<{ token: string; secret: string }>(
    await person.call('POST', '/api/user/second_factors/totp'),
  );
  const app = new AuthenticatorApp(begun.secret);
  const body = { token: begun.token, code: await app.nextCode() };
  const { recovery_codes: codes } = dataOf<{ recovery_codes: string[] }>(
    await person.call('PUT', '/api/user/second_factors/totp', { body }),
  );
  return { app, codes };
};

export const addPasskey = async (person: Person) => {
  const begun = dataOf<{ token: string; options: { challenge: string } }>(
    await person.call('POST', '/api/user/second_factors/passkey_options'),
  );
  const passkey = new SoftwarePasskey();
  const credential = passkey.register({ ...site, challenge: begun.options.challenge });
  const body = { token: begun.token, name: 'Phone', credential };
  dataOf(await person.call('POST', '/api/user/second_factors/passkeys', { body }));
  return passkey;
};

type Step = Readonly<{
  second_factor: { methods: string[]; token: string; passkey?: { challenge: string } };
}>;

/** A browser that keeps the cookie of the first step next to the one of its session. */
export class Browser {
  readonly person: Person;
  mark = '';

  constructor(side: WriteSide) {
    this.person = side.person();
  }

  async password(user: { username: string; password: string } = rootUser) {
    const answer = await this.person.call('POST', '/api/user/login', { body: user });
    const cookies = [answer.headers['set-cookie'] ?? []].flat().map(String);
    const given = cookies.find((cookie) => cookie.startsWith('second-factor='));
    this.mark = given?.split(';')[0] ?? '';
    return { answer, cookies, ...dataOf<Step>(answer).second_factor };
  }

  async prove(body: object) {
    const headers = { cookie: this.mark };
    const path = '/api/user/login/second_factor';
    const answer = await this.person.call('POST', path, { body, headers });
    const data = answer.body.data as { id?: number } | undefined;
    if (data?.id !== undefined) this.person.userId = data.id;
    return answer;
  }
}

export const codeOf = ({ body }: { body: Data }) => body.code;
