import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSessionSigner } from '../../infra/vault/session-signer.ts';
import { ConsoleClient, rootUser, setUpSite } from '../support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';

let product: Product;
let root: ConsoleClient;
beforeAll(async () => {
  product = await startProduct();
  root = await setUpSite(product.url);
});
afterAll(async () => {
  await product.stop();
  removeData(product);
});

const { password } = rootUser;
type Headers = Readonly<Record<string, string>>;

/** Answers of the three servers to these headers. */
const statuses = async (headers: Headers) => {
  const ask = async (method: string, path: string, body?: object) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(product.url + path, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...sent,
    });
    await answer.text();
    return answer.status === 401 ? 'refused' : 'served';
  };
  const messages = [{ role: 'user', content: 'hi' }];
  return {
    writes: await ask('PUT', '/api/user/self', {}),
    reads: await ask('GET', '/api/user/self'),
    relay: await ask('POST', '/pg/chat/completions', { model: 'none', messages }),
  };
};
const served = { writes: 'served', reads: 'served', relay: 'served' };
const refused = { writes: 'refused', reads: 'refused', relay: 'refused' };

let made = 0;
/** A new user, signed in on a browser of their own. */
const member = async (): Promise<Readonly<{ name: string; browser: ConsoleClient }>> => {
  made += 1;
  const name = `member-${made}`;
  await root.ok('POST', '/api/user/', { username: name, password });
  return { name, browser: await signedIn(name) };
};
const signedIn = async (name: string): Promise<ConsoleClient> => {
  const browser = new ConsoleClient(product.url);
  await browser.login(name, password);
  return browser;
};
type Listed = Readonly<{ id: string; current: boolean; address: string; device: string }>;
const sessionsOf = (browser: ConsoleClient) => browser.ok<Listed[]>('GET', '/api/user/sessions');

/** Ends sessions; the copies that are given must be dead afterwards, on every server. */
const ending: Readonly<Record<string, (browser: ConsoleClient, name: string) => Promise<unknown>>> =
  {
    'logging out': (browser) => browser.ok('GET', '/api/user/logout'),
    'ending it in the list of another browser': async (browser, name) => {
      const other = await signedIn(name);
      const mine = (await sessionsOf(browser)).find(({ current }) => current);
      return other.ok('DELETE', `/api/user/sessions/${mine?.id}`);
    },
    'logging out everywhere': (browser) => browser.ok('DELETE', '/api/user/sessions'),
    'logging out everywhere else, by another browser': async (_, name) =>
      (await signedIn(name)).ok('DELETE', '/api/user/sessions?keep_current=true'),
    'a new password': (browser) =>
      browser.ok('PUT', '/api/user/self', {
        original_password: password,
        password: 'another-horse',
      }),
    'an administrator who ends all sessions': (browser) =>
      root.ok('POST', '/api/user/manage', { id: browser.userId, action: 'end_sessions' }),
    'a password set by an administrator': (browser) =>
      root.ok('PUT', '/api/user/', { id: browser.userId, password: 'another-horse' }),
    'leaving for good': (browser) => browser.ok('DELETE', '/api/user/self'),
  };

describe('a cookie that was copied', () => {
  test.each(Object.entries(ending))('is worth nothing after %s', async (_, end) => {
    const { name, browser } = await member();
    const copy = browser.headers;
    expect(await statuses(copy)).toEqual(served);
    await end(browser, name);
    expect(await statuses(copy)).toEqual(refused);
  });

  test('is worth nothing after a ban, though the holder is informed of the ban', async () => {
    const { browser } = await member();
    const copy = browser.headers;
    await root.ok('POST', '/api/user/manage', { id: browser.userId, action: 'disable' });
    const self = await browser.call('GET', '/api/user/self');
    expect(self).toMatchObject({ success: false, code: 'auth.banned' });
    await root.ok('POST', '/api/user/manage', { id: browser.userId, action: 'enable' });
    expect(await statuses(copy)).toEqual(refused);
  });
});

test('the browser that logs out everywhere else, or changes the password, continues', async () => {
  const { browser } = await member();
  await browser.ok('DELETE', '/api/user/sessions?keep_current=true');
  expect(await statuses(browser.headers)).toEqual(served);
  const body = { original_password: password, password: 'another-horse' };
  await browser.ok('PUT', '/api/user/self', body);
  expect(await statuses(browser.headers)).toEqual(served);
  const [session, ...others] = await sessionsOf(browser);
  expect([session?.current, session?.address, others]).toEqual([true, '127.0.0.1', []]);
});

test('no cookie of another key, and no changed one, is taken by any server', async () => {
  const { browser } = await member();
  const { userId } = browser;
  const [keyId, payload = '', signature = ''] = (browser.headers.cookie ?? '')
    .slice('session='.length)
    .split('.');
  const session = JSON.parse(Buffer.from(payload, 'base64url').toString());
  expect(session).toEqual({
    id: expect.any(String),
    userId,
    epoch: 0,
    issuedAt: expect.any(Number),
  });
  const forger = createSessionSigner(Buffer.alloc(32, 9));
  const asRoot = Buffer.from(JSON.stringify({ ...session, userId: 1 })).toString('base64url');
  const [, , foreign = ''] = forger.sign(session).split('.');
  for (const [cookie, id] of [
    [forger.sign(session), userId],
    [`${keyId}.${payload}.${foreign}`, userId],
    [`${keyId}.${asRoot}.${signature}`, 1],
    [`${keyId}.${payload}.${'A'.repeat(86)}`, userId],
    ['%', userId],
  ]) {
    const headers = { cookie: `session=${cookie}`, 'new-api-user': String(id) };
    expect(await statuses(headers), String(cookie)).toEqual(refused);
  }
});

test('the command line signs in for its work alone', async () => {
  const before = await sessionsOf(root);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['infra/tooling/start.mjs', 'projections-cli', 'list'],
    { env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: product.dataDir } },
  );
  expect(stdout).toContain('user-list');
  await eventually(async () => expect(await sessionsOf(root)).toEqual(before));
});

test('sessions outlive a crash of all processes, and those that ended stay over', async () => {
  const { browser } = await member();
  const { browser: gone } = await member();
  const copy = gone.headers;
  await gone.ok('GET', '/api/user/logout');
  const { dataDir, url } = product;
  await product.kill();
  product = await startProduct({ dataDir, port: Number(new URL(url).port) });
  expect(await statuses(browser.headers)).toEqual(served);
  expect(await statuses(copy)).toEqual(refused);
});

test('cookies go over TLS alone once the site is reached by it', async () => {
  const cookiesOf = async () => {
    const answer = await fetch(`${product.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rootUser),
    });
    return answer.headers.getSetCookie();
  };
  for (const cookie of await cookiesOf()) expect(cookie).not.toContain('Secure');
  await root.ok('PUT', '/api/option/', { key: 'ServerAddress', value: 'https://gate.example' });
  const cookies = await cookiesOf();
  expect(cookies.map((cookie) => cookie.split('=')[0])).toContain('session');
  for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
});
