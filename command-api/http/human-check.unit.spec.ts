import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import type { HumanCheck } from '../../infra/ports/human-check.ts';
import { rootUser, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';

let side: WriteSide;
afterEach(() => side.stop());

const start = async (check: HumanCheck | string) => {
  side = await startWriteSide(
    typeof check === 'string' ? { turnstileUrl: check } : { humanCheck: check },
  );
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

test('while the check is on, sign-in requires the proof of being a person', async () => {
  await start(async ({ response }) => response === 'good');
  expect(await signIn()).toMatchObject({ code: 'human.token-missing' });
  expect(await signIn('?turnstile=bad')).toMatchObject({ code: 'human.not-proven' });
  expect(await signIn('?turnstile=good')).toMatchObject({ success: true });
});

test('whoever has passed is not checked again, and no other cookie passes', async () => {
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

test('a check that does not answer admits no sign-in', async () => {
  await start(async () => {
    throw new Error('out of reach');
  });
  expect(await signIn('?turnstile=good')).toMatchObject({ code: 'human.check-unavailable' });
});

test('the service is called with the secret, the answer of the browser and its address', async () => {
  const asked: string[] = [];
  const service = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    asked.push(`${request.method} ${request.url} ${body}`);
    const isGood = new URLSearchParams(body).get('response') === 'good';
    const verdict = { success: isGood, 'error-codes': [] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(verdict));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  await start(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
  expect(await signIn('?turnstile=bad')).toMatchObject({ code: 'human.not-proven' });
  expect(await signIn('?turnstile=good')).toMatchObject({ success: true });
  expect(asked[1]).toBe(
    'POST /turnstile/v0/siteverify secret=secret-key&response=good&remoteip=127.0.0.1',
  );
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
  const fresh = await signIn('?turnstile=good');
  expect(fresh).toMatchObject({ code: 'human.check-unavailable' });
});
