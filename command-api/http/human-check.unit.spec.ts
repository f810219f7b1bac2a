import { afterEach, expect, test, vi } from 'vitest';
import { rootUser, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';
import type { HumanCheck } from './human-check.ts';

let side: WriteSide;
afterEach(() => side.stop());

const start = async (humanCheck: HumanCheck) => {
  side = await startWriteSide({ humanCheck });
  const root = await side.root();
  for (const [key, value] of [
    ['TurnstileSiteKey', 'site-key'],
    ['TurnstileSecretKey', 'secret-key'],
    ['TurnstileCheckEnabled', 'true'],
  ]) {
    await root.call('PUT', '/api/option/', { body: { key, value } });
  }
};
const signIn = async (query = '', cookie = '') => {
  const headers: Record<string, string> = cookie === '' ? {} : { cookie };
  const answer = await side
    .person()
    .call('POST', `/api/user/login${query}`, { body: rootUser, headers });
  return { ...answer.body, cookies: [answer.headers['set-cookie'] ?? []].flat().map(String) };
};

test('while the check is on, nobody signs in without having proven to be a person', async () => {
  await start(async ({ response }) => response === 'good');
  expect(await signIn()).toMatchObject({ code: 'human.token-missing' });
  expect(await signIn('?turnstile=bad')).toMatchObject({ code: 'human.not-proven' });
  expect(await signIn('?turnstile=good')).toMatchObject({ success: true });
});

test('who has passed is not asked again, and no other cookie passes', async () => {
  const ask = vi.fn<HumanCheck>(async () => true);
  await start(ask);
  const { cookies } = await signIn('?turnstile=good');
  const pass = cookies.find((cookie) => cookie.startsWith('human=')) ?? '';
  const session = cookies.find((cookie) => cookie.startsWith('session=')) ?? '';
  expect(pass).toMatch(/HttpOnly/);
  expect(await signIn('', pass.split(';')[0])).toMatchObject({ success: true });
  const forged = `human=${(session.split(';')[0] ?? '').slice('session='.length)}`;
  expect(await signIn('', forged)).toMatchObject({ code: 'human.token-missing' });
  expect(await signIn('', 'human=%zz')).toMatchObject({ code: 'human.token-missing' });
  expect(ask).toHaveBeenCalledTimes(1);
  expect(ask).toHaveBeenCalledWith({
    secret: 'secret-key',
    response: 'good',
    ip: expect.any(String),
  });
});

test('a check that does not answer lets nobody in', async () => {
  await start(async () => {
    throw new Error('out of reach');
  });
  expect(await signIn('?turnstile=good')).toMatchObject({ code: 'human.check-unavailable' });
});
