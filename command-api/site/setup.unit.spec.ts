import { expect, test } from 'vitest';
import { startWriteSide } from '../../tests/support/write-side.ts';

const password = 'correct-horse';

test('two set-ups at one moment make one super admin', async () => {
  const fresh = await startWriteSide();
  const setup = (username: string) =>
    fresh.person().call('POST', '/api/setup', {
      body: { username, password, confirmPassword: password },
    });
  const answers = await Promise.all([setup('one'), setup('two')]);
  expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
  expect(fresh.events('UserRegistered')).toHaveLength(1);
  await fresh.stop();
});

test('a set-up that broke off after its super admin was made is finished without another', async () => {
  const fresh = await startWriteSide();
  const body = { username: 'boss', password, confirmPassword: password };
  fresh.eventStore.beforeAppend = async (streamId) => {
    if (streamId === 'site') throw new Error('out of reach');
  };
  await fresh.person().call('POST', '/api/setup', { body });
  fresh.eventStore.beforeAppend = null;
  const { body: answer } = await fresh.person().call('POST', '/api/setup', { body: {} });
  expect(answer).toMatchObject({ success: true });
  expect(fresh.events('UserRegistered')).toHaveLength(1);
  await fresh.stop();
});

test('setting up is refused with a reason, and only once for ever', async () => {
  const fresh = await startWriteSide();
  const setup = async (body: object) =>
    (await fresh.person().call('POST', '/api/setup', { body })).body.code;
  expect(await setup({ password, confirmPassword: password })).toBe('setup.username-required');
  const named = { username: 'root', password };
  expect(await setup({ ...named, confirmPassword: 'x' })).toBe('user.password-mismatch');
  const short = { username: 'root', password: 'short', confirmPassword: 'short' };
  expect(await setup(short)).toBe('user.password-too-short');
  expect(await setup({ ...named, confirmPassword: password })).toBeUndefined();
  expect(await setup({ ...named, confirmPassword: password })).toBe('site.already-initialised');
  await fresh.stop();
});
