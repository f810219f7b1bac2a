import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UserLoggedIn } from '../../../domain/user/events.ts';
import {
  addPasskey,
  Browser,
  codeOf,
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

describe('signing in', () => {
  test('with an authenticator app takes a code, and gives no session before it', async () => {
    const { app } = await enrolTotp(root);
    const browser = new Browser(side);
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
    const browser = new Browser(side);
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
    const first = new Browser(side);
    const { token } = await first.password();
    dataOf(await first.prove({ method: 'recovery-code', token, code }));
    const second = new Browser(side);
    const again = await second.password();
    const refused = await second.prove({ method: 'recovery-code', token: again.token, code });
    expect(codeOf(refused)).toBe('user.recovery-code-wrong');
  });

  test('one proof opens one session', async () => {
    const { codes } = await enrolTotp(root);
    const browser = new Browser(side);
    const { token } = await browser.password();
    dataOf(await browser.prove({ method: 'recovery-code', token, code: codes[0] }));
    const again = await browser.prove({ method: 'recovery-code', token, code: codes[1] });
    expect(codeOf(again)).toBe('auth.second-factor-expired');
  });

  test('a new password ends a second step that was begun before', async () => {
    const { app } = await enrolTotp(root);
    const browser = new Browser(side);
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
  test('is removed by an administrator with a reason', async () => {
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

test('neither secrets nor codes nor names are readable in the log', async () => {
  const { codes } = await enrolTotp(root);
  await addPasskey(root);
  const log = side.eventStore.all.map(({ event }) => JSON.stringify(event)).join('\n');
  for (const hidden of [...codes, '"Phone"']) expect(log).not.toContain(hidden);
  expect(side.events('TotpEnrolled')).toMatchObject([{ secret: expect.stringMatching(/^v2\./) }]);
});
