import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { people, type ReadApi, startReadApi } from '../tests/support/read-api.ts';
import { signedIn } from '../tests/support/read-side-story.ts';
import { readRoutes } from './contract/routes.ts';

let api: ReadApi;
const { root, ada } = people;
beforeAll(async () => {
  api = await startReadApi();
});
afterAll(() => api.stop());

const get: ReadApi['get'] = (url, headers) => api.get(url, headers);
const ids: Readonly<Record<string, string>> = {
  '/api/user/:id': '42',
  '/api/channel/:id': '3',
  '/api/ledger/:userId': '42',
  '/api/ledger/:userId/export': '42',
};
const pathOf = (url: string): string => url.replace(/:\w+/, ids[url] ?? '1');

test.each(Object.entries(readRoutes))(
  '%s is open to those that it is declared for',
  async (key, { access }) => {
    const [method = '', url = ''] = key.split(' ');
    const anonymous = await api.call(method, pathOf(url));
    const ordinary = await api.call(method, pathOf(url), signedIn(ada));
    if (access === 'public' || access === 'visitor') {
      expect(anonymous.body.success).toBe(true);
      return;
    }
    expect(anonymous.status).toBe(401);
    if (access === 'token') {
      // A session opens none of these; their refusals have the form of the relay's.
      expect(ordinary).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
      return;
    }
    expect(anonymous.body).toMatchObject({ success: false, code: 'auth.not-signed-in' });
    expect(ordinary.body.code === 'auth.not-allowed').toBe(access === 'admin');
  },
);

test('no page of another site starts anything for an admin', async () => {
  for (const key of Object.keys(readRoutes)) {
    const [method = '', url = ''] = key.split(' ');
    if (method !== 'POST') continue;
    const headers = { ...signedIn(root), 'sec-fetch-site': 'cross-site' };
    const answer = await api.call(method, pathOf(url), headers);
    expect([url, answer.status, answer.body.code]).toEqual([url, 403, 'request.cross-site']);
  }
});

test('an admin rebuilds a projection while it serves, and only one that exists', async () => {
  const rebuild = (name: string) =>
    api.call('POST', `/api/projections/${name}/rebuild`, signedIn(root));
  expect((await rebuild('token-list')).body.success).toBe(true);
  expect((await rebuild('nothing')).body.code).toBe('projection.unknown');
});

describe('signing in on the read side', () => {
  test('the user header has to name the one who is signed in', async () => {
    const { 'new-api-user': _, ...without } = signedIn(ada);
    expect((await get('/api/user/self', without)).body.code).toBe('auth.user-header-missing');
    const other = { ...signedIn(ada), 'new-api-user': '1' };
    expect(await get('/api/user/self', other)).toMatchObject({
      status: 401,
      body: { code: 'auth.user-header-mismatch' },
    });
    const malformed = { ...signedIn(ada), 'new-api-user': 'x' };
    expect((await get('/api/user/self', malformed)).status).toBe(401);
  });
  test('a session of an earlier epoch and a forged cookie are no sign-in', async () => {
    expect((await get('/api/user/self', signedIn(ada, 3))).status).toBe(401);
    const forged = { cookie: 'session=v1.aaaa.bbbb.cccc', 'new-api-user': '42' };
    expect((await get('/api/user/self', forged)).status).toBe(401);
  });
  test('messages are in the language of the reader', async () => {
    expect((await get('/api/user/self')).body.message).toContain('未登录');
    expect((await get('/api/user/self', { 'accept-language': 'en-US' })).body.message).toContain(
      'Not signed in',
    );
  });
  test('an unknown access token is refused without sending the person away', async () => {
    const headers = { authorization: 'Bearer nonsense', 'new-api-user': '42' };
    expect(await get('/api/user/self', headers)).toMatchObject({
      status: 200,
      body: { success: false, code: 'auth.invalid-access-token' },
    });
  });
});
