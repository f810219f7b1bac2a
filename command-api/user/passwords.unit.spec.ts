import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Person,
  rootUser,
  startWriteSide,
  type WriteSide,
} from '../../tests/support/write-side.ts';
import { isCommonPassword } from './common-passwords.ts';

let side: WriteSide;
let root: Person;
beforeEach(async () => {
  side = await startWriteSide();
  root = await side.root();
});
afterEach(() => side.stop());

const own = { original_password: rootUser.password };
const codeOf = async (answer: Promise<{ body: Readonly<Record<string, unknown>> }>) =>
  (await answer).body.code;
const register = (username: string, password: string) =>
  side.person().call('POST', '/api/user/register', { body: { username, password } });
const changeOwn = (password: string) =>
  root.call('PUT', '/api/user/self', { body: { ...own, password } });

test('the list of common passwords contains what is tried first', async () => {
  for (const password of ['12345678', 'password', ' Password ', 'qwertyuiop', 'iloveyou']) {
    expect(await isCommonPassword(password), password).toBe(true);
  }
  for (const password of ['correct-horse', 'Vq8-plover-Tin']) {
    expect(await isCommonPassword(password), password).toBe(false);
  }
});

describe('an administrator', () => {
  test.each(['password', '12345678', 'PASSWORD', '        '])(
    'does not set the site up with "%s"',
    async (password) => {
      const fresh = await startWriteSide();
      const body = { username: 'root', password, confirmPassword: password };
      const code = await codeOf(fresh.person().call('POST', '/api/setup', { body }));
      expect(code).toMatch(/^user\.password-(common|blank)$/);
      expect(fresh.events('UserRegistered')).toEqual([]);
      await fresh.stop();
    },
  );

  test('takes no common password later either, by whatever way', async () => {
    expect(await codeOf(changeOwn('iloveyou'))).toBe('user.password-common');
    const edit = root.call('PUT', '/api/user/', { body: { id: 1, password: 'iloveyou' } });
    expect(await codeOf(edit)).toBe('user.password-common');
    await register('bob', 'iloveyou');
    await root.call('POST', '/api/user/manage', { body: { id: 2, action: 'promote' } });
    const bob = root.call('PUT', '/api/user/', { body: { id: 2, password: 'password' } });
    expect(await codeOf(bob)).toBe('user.password-common');
    expect(side.events('PasswordChanged').concat(side.events('PasswordReset'))).toEqual([]);
  });
});

describe('a password', () => {
  test('has 8 to 128 characters, as people count them', async () => {
    expect((await register('a', 'x'.repeat(7))).body).toMatchObject({
      message: 'Invalid parameters: password must be at least 8 characters',
    });
    expect(await codeOf(register('b', '😀'.repeat(7)))).toBe('request.invalid');
    expect(await codeOf(register('c', '😀'.repeat(128)))).toBeUndefined();
    expect((await register('d', 'x'.repeat(129))).body).toMatchObject({
      message: 'Invalid parameters: password must be at most 128 characters',
    });
    expect(await codeOf(register('e', 'x'.repeat(128)))).toBeUndefined();
    const person = side.person();
    expect((await person.signIn('e', 'x'.repeat(128))).body).toMatchObject({ success: true });
  });

  test('of an ordinary user may be common, but never blanks alone', async () => {
    expect(await codeOf(register('ada', 'iloveyou'))).toBeUndefined();
    expect(await codeOf(register('bob', '         '))).toBe('user.password-blank');
  });

  test('is another one than before', async () => {
    expect(await codeOf(changeOwn(rootUser.password))).toBe('user.password-unchanged');
    expect(side.events('PasswordChanged')).toEqual([]);
    expect(await codeOf(changeOwn('another-horse'))).toBeUndefined();
  });
});
