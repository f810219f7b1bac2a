import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { UserLoggedIn } from '../../../domain/user/events.ts';
import { SoftwarePasskey } from '../../../tests/support/authenticator.ts';
import { AuthenticatorApp } from '../../../tests/support/totp.ts';
import {
  type Person,
  rootUser,
  startWriteSide,
  type WriteSide,
} from '../../../tests/support/write-side.ts';

const site = { origin: 'https://gate.example', rpId: 'gate.example' };

let side: WriteSide;
let root: Person;
beforeEach(async () => {
  side = await startWriteSide();
  root = await side.root();
  await setOption('ServerAddress', site.origin);
});
afterEach(() => side.stop());

type Data = Readonly<Record<string, unknown>>;
const dataOf = <T = Data>({ body }: { body: Data }): T => {
  expect(body).toMatchObject({ success: true });
  return body.data as T;
};
const setOption = (key: string, value: string) =>
  root.call('PUT', '/api/option/', { body: { key, value } });

const enrolTotp = async (person: Person) => {
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

const addPasskey = async (person: Person) => {
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

/** A browser that keeps the cookie of the first step beside the one of its session. */
class Browser {
  readonly person = side.person();
  mark = '';

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

const codeOf = ({ body }: { body: Data }) => body.code;

describe('signing in', () => {
  test('with an authenticator app takes a code, and gives no session before it', async () => {
    const { app } = await enrolTotp(root);
    const browser = new Browser();
    const { cookies, methods, token } = await browser.password();
    expect(methods).toEqual(['totp', 'recovery-code']);
    expect(cookies.filter((cookie) => cookie.startsWith('session='))).toEqual([]);
    const code = await app.nextCode();
    const answer = await browser.prove({ method: 'totp', token, code });
    expect(dataOf(answer)).toMatchObject({ id: 1, username: 'root', role: 100 });
    const changed = await browser.person.call('PUT', '/api/user/self', { body: {} });
    expect(changed.statusCode).toBe(200);
    const logins = side.events<UserLoggedIn['data']>('UserLoggedIn');
    expect(logins.at(-1)).toMatchObject({ method: 'password', secondFactor: 'totp' });
  });

  test('with a passkey takes its signature for this site', async () => {
    const passkey = await addPasskey(root);
    const browser = new Browser();
    const { methods, token, passkey: asked } = await browser.password();
    expect(methods).toEqual(['passkey', 'recovery-code']);
    passkey.counter = 1;
    const assertion = passkey.assert({ ...site, challenge: asked?.challenge ?? '' });
    dataOf(await browser.prove({ method: 'passkey', token, assertion }));
    expect(side.events('PasskeyUsed')).toMatchObject([{ counter: 1, purpose: 'sign-in' }]);
  });

  test('a recovery code works once, however it is typed', async () => {
    const { codes } = await enrolTotp(root);
    expect(new Set(codes).size).toBe(10);
    const code = ` ${codes[3]?.toUpperCase().replace('-', ' ')} `;
    const first = new Browser();
    const { token } = await first.password();
    dataOf(await first.prove({ method: 'recovery-code', token, code }));
    const second = new Browser();
    const again = await second.password();
    const refused = await second.prove({ method: 'recovery-code', token: again.token, code });
    expect(codeOf(refused)).toBe('user.recovery-code-wrong');
  });

  test('one proof opens one session', async () => {
    const { codes } = await enrolTotp(root);
    const browser = new Browser();
    const { token } = await browser.password();
    dataOf(await browser.prove({ method: 'recovery-code', token, code: codes[0] }));
    const again = await browser.prove({ method: 'recovery-code', token, code: codes[1] });
    expect(codeOf(again)).toBe('auth.second-factor-expired');
  });

  test('a new password ends a second step that was begun before', async () => {
    const { app } = await enrolTotp(root);
    const browser = new Browser();
    const { token } = await browser.password();
    const body = { original_password: rootUser.password, password: 'another-horse-9' };
    dataOf({ ...(await root.call('PUT', '/api/user/self', { body })) });
    const code = await app.nextCode();
    expect(codeOf(await browser.prove({ method: 'totp', token, code }))).toBe(
      'auth.second-factor-expired',
    );
  });

  test('without a factor is as it was', async () => {
    const person = side.person();
    const answer = await person.signIn(rootUser.username, rootUser.password);
    expect(dataOf(answer)).toMatchObject({ id: 1, username: 'root' });
    expect(String(answer.headers['set-cookie'])).toMatch(/session=/);
  });
});

describe('asking again', () => {
  const wish = { key: 'RegisterEnabled', value: 'false' };
  const change = (person: Person) => person.call('PUT', '/api/option/', { body: wish });

  /** Signed in by password before there was a factor, so that nothing is confirmed. */
  const older = async (): Promise<Person> => {
    const person = side.person();
    await person.signIn(rootUser.username, rootUser.password);
    return person;
  };
  const confirm = async (person: Person, body: object) => {
    const { token } = dataOf<{ token: string }>(
      await person.call('POST', '/api/user/second_factors/challenge'),
    );
    return person.call('POST', '/api/user/second_factors/confirm', { body: { token, ...body } });
  };

  test('stands before an option of the super admin, once in ten minutes', async () => {
    const person = await older();
    const { app } = await enrolTotp(root);
    const refused = await change(person);
    expect(refused.statusCode).toBe(403);
    expect(codeOf(refused)).toBe('auth.second-factor-required');
    expect(side.events<Data>('OptionChanged').map(({ key }) => key)).not.toContain(wish.key);
    dataOf(await confirm(person, { method: 'totp', code: await app.nextCode() }));
    expect((await change(person)).body).toMatchObject({ success: true });
  });

  test('does not stand before those who have just signed in by it', async () => {
    const { app } = await enrolTotp(root);
    const browser = new Browser();
    const { token } = await browser.password();
    dataOf(await browser.prove({ method: 'totp', token, code: await app.nextCode() }));
    expect((await change(browser.person)).body).toMatchObject({ success: true });
  });

  test.each([
    ['PUT', '/api/user/', { id: 1, quota: 5 }],
    ['POST', '/api/redemption/', { name: 'gift', quota: 5, count: 1 }],
    ['POST', '/api/channel/', {}],
    ['PUT', '/api/channel/', { id: 1, key: 'sk-new' }],
    ['POST', '/api/user/manage', { id: 2, action: 'promote' }],
    ['POST', '/api/audit/correction', {}],
    ['GET', '/api/user/token', undefined],
    ['DELETE', '/api/user/second_factors/totp', undefined],
    ['POST', '/api/user/second_factors/recovery_codes', undefined],
    ['POST', '/api/user/second_factors/passkey_options', undefined],
  ] as const)('stands before %s %s', async (method, url, body) => {
    const person = await older();
    await enrolTotp(root);
    const answer = await person.call(method, url, body === undefined ? {} : { body });
    expect(answer.statusCode).toBe(403);
    expect(codeOf(answer)).toBe('auth.second-factor-required');
  });

  test.each([
    ['PUT', '/api/option/', { key: 'Footer', value: 'x' }],
    ['PUT', '/api/user/', { id: 1, display_name: 'Root' }],
    ['PUT', '/api/user/self', { display_name: 'Root' }],
  ] as const)('does not stand before %s %s of little weight', async (method, url, body) => {
    const person = await older();
    await enrolTotp(root);
    expect((await person.call(method, url, { body })).body).toMatchObject({ success: true });
  });

  test('a challenge of one session is worth nothing in another', async () => {
    const [one, two] = [await older(), await older()];
    const { codes } = await enrolTotp(root);
    const { token } = dataOf<{ token: string }>(
      await one.call('POST', '/api/user/second_factors/challenge'),
    );
    const body = { method: 'recovery-code', token, code: codes[0] };
    const refused = await two.call('POST', '/api/user/second_factors/confirm', { body });
    expect(codeOf(refused)).toBe('auth.second-factor-expired');
  });

  test('callers with an access token are not asked, and change no factors', async () => {
    const token = dataOf<string>(await root.call('GET', '/api/user/token'));
    await enrolTotp(root);
    const program = side.person();
    program.userId = root.userId;
    const headers = { authorization: token };
    const changed = await program.call('PUT', '/api/option/', { body: wish, headers });
    expect(changed.body).toMatchObject({ success: true });
    const path = '/api/user/second_factors/totp';
    expect(codeOf(await program.call('DELETE', path, { headers }))).toBe('auth.session-needed');
  });
});

describe('the first factor', () => {
  const path = '/api/user/second_factors/totp';
  const later = (minutes: number) =>
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is enrolled right after signing in, and later once the password is given', async () => {
    expect((await root.call('POST', path)).body).toMatchObject({ success: true });
    later(11);
    const refused = await root.call('POST', path);
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'auth.password-required']);
    const { token, methods } = dataOf<{ token: string; methods: string[] }>(
      await root.call('POST', '/api/user/second_factors/challenge'),
    );
    expect(methods).toEqual(['password']);
    const confirm = (password: string) =>
      root.call('POST', '/api/user/second_factors/confirm', {
        body: { method: 'password', token, password },
      });
    expect(codeOf(await confirm('wrong-horse'))).toBe('user.confirmation-wrong');
    expect(codeOf(await root.call('POST', path))).toBe('auth.password-required');
    dataOf(await confirm(rootUser.password));
    await enrolTotp(root);
  });

  test('makes the password worth nothing where the factor is asked for', async () => {
    const person = side.person();
    await person.signIn(rootUser.username, rootUser.password);
    await enrolTotp(root);
    const { token } = dataOf<{ token: string }>(
      await person.call('POST', '/api/user/second_factors/challenge'),
    );
    const body = { method: 'password', token, password: rootUser.password };
    const refused = await person.call('POST', '/api/user/second_factors/confirm', { body });
    expect(codeOf(refused)).toBe('auth.second-factor-required');
    const byPassword = new Browser();
    const step = await byPassword.password();
    const proof = { method: 'password', token: step.token, password: rootUser.password };
    expect(codeOf(await byPassword.prove(proof))).toBe('request.invalid');
  });

  test('is confirmed for ten minutes', async () => {
    await enrolTotp(root);
    const wish = { key: 'RegisterEnabled', value: 'false' };
    const change = () => root.call('PUT', '/api/option/', { body: wish });
    expect((await change()).body).toMatchObject({ success: true });
    later(11);
    expect(codeOf(await change())).toBe('auth.second-factor-required');
  });
});

describe('the option that demands one of administrators', () => {
  test('closes what administrators do until they have enrolled', async () => {
    await setOption('SecondFactorRequiredOfAdmins', 'true');
    const refused = await setOption('Footer', 'x');
    expect(refused.statusCode).toBe(403);
    expect(codeOf(refused)).toBe('auth.second-factor-not-enrolled');
    expect((await root.call('PUT', '/api/user/self', { body: {} })).statusCode).toBe(200);
    await enrolTotp(root);
    expect((await setOption('Footer', 'x')).body).toMatchObject({ success: true });
  });
});

describe('a lost device', () => {
  test('is removed by an administrator who says why', async () => {
    const user = { username: 'ada', password: 'correct-horse-2' };
    dataOf({ ...(await root.call('POST', '/api/user/', { body: user })) });
    const ada = side.person();
    await ada.signIn(user.username, user.password);
    await enrolTotp(ada);
    const remove = (body: object) =>
      root.call('POST', '/api/user/manage', {
        body: { id: ada.userId, action: 'remove_second_factors', ...body },
      });
    expect(codeOf(await remove({}))).toBe('user.reason-needed');
    expect((await remove({ reason: 'lost phone' })).body).toMatchObject({ success: true });
    expect(side.events('SecondFactorsRemoved')).toEqual([
      { userId: ada.userId, reason: 'lost phone' },
    ]);
    const answer = await side.person().signIn(user.username, user.password);
    expect(dataOf(answer)).toMatchObject({ id: ada.userId });
  });
});

test('neither secrets nor codes nor names stand in the log', async () => {
  const { codes } = await enrolTotp(root);
  await addPasskey(root);
  const log = side.eventStore.all.map(({ event }) => JSON.stringify(event)).join('\n');
  for (const hidden of [...codes, '"Phone"']) expect(log).not.toContain(hidden);
  expect(side.events('TotpEnrolled')).toMatchObject([{ secret: expect.stringMatching(/^v2\./) }]);
});
