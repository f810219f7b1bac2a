import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  Browser,
  codeOf,
  type Data,
  dataOf,
  enrolTotp,
  site,
} from '../../../tests/support/second-factor-side.ts';
import {
  type Person,
  rootUser,
  startWriteSide,
  type WriteSide,
} from '../../../tests/support/write-side.ts';

let side: WriteSide;
let root: Person;
beforeEach(async () => {
  side = await startWriteSide();
  root = await side.root();
  await setOption('ServerAddress', site.origin);
});
afterEach(() => side.stop());

const setOption = (key: string, value: string) =>
  root.call('PUT', '/api/option/', { body: { key, value } });

describe('asking again', () => {
  const payload = { key: 'RegisterEnabled', value: 'false' };
  const change = (person: Person) => person.call('PUT', '/api/option/', { body: payload });

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

  test('is required for an option of the super admin, once in ten minutes', async () => {
    const person = await older();
    const { app } = await enrolTotp(root);
    const refused = await change(person);
    expect(refused.statusCode).toBe(403);
    expect(codeOf(refused)).toBe('auth.second-factor-required');
    expect(side.events<Data>('OptionChanged').map(({ key }) => key)).not.toContain(payload.key);
    dataOf(await confirm(person, { method: 'totp', code: await app.nextCode() }));
    expect((await change(person)).body).toMatchObject({ success: true });
  });

  test('is not required of those who have just signed in by it', async () => {
    const { app } = await enrolTotp(root);
    const browser = new Browser(side);
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
  ] as const)('is required for %s %s', async (method, url, body) => {
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
  ] as const)('is not required for %s %s of little weight', async (method, url, body) => {
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

  test('callers with an access token are exempt, and change no factors', async () => {
    const token = dataOf<string>(await root.call('GET', '/api/user/token'));
    await enrolTotp(root);
    const program = side.person();
    program.userId = root.userId;
    const headers = { authorization: token };
    const changed = await program.call('PUT', '/api/option/', { body: payload, headers });
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

  test('makes the password insufficient where the factor is required', async () => {
    const person = side.person();
    await person.signIn(rootUser.username, rootUser.password);
    await enrolTotp(root);
    const { token } = dataOf<{ token: string }>(
      await person.call('POST', '/api/user/second_factors/challenge'),
    );
    const body = { method: 'password', token, password: rootUser.password };
    const refused = await person.call('POST', '/api/user/second_factors/confirm', { body });
    expect(codeOf(refused)).toBe('auth.second-factor-required');
    const byPassword = new Browser(side);
    const step = await byPassword.password();
    const proof = { method: 'password', token: step.token, password: rootUser.password };
    expect(codeOf(await byPassword.prove(proof))).toBe('request.invalid');
  });

  test('is confirmed for ten minutes', async () => {
    await enrolTotp(root);
    const payload = { key: 'RegisterEnabled', value: 'false' };
    const change = () => root.call('PUT', '/api/option/', { body: payload });
    expect((await change()).body).toMatchObject({ success: true });
    later(11);
    expect(codeOf(await change())).toBe('auth.second-factor-required');
  });
});
