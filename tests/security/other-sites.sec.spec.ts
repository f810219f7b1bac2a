import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { ConsoleClient, rootUser, setUpSite } from '../support/console-client.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';

let product: Product;
let root: ConsoleClient;
let evil: Server;
let evilUrl: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;

const victim = { username: 'victim', password: 'correct-horse' };
const mallory = { username: 'mallory', password: 'correct-horse' };

/**
 * Another origin on the same host: the hardest neighbour there is. To a browser it is the same site,
 * so cookies with SameSite=Strict travel along.
 */
beforeAll(async () => {
  product = await startProduct();
  root = await setUpSite(product.url);
  for (const user of [victim, mallory]) await root.ok('POST', '/api/user/', user);
  evil = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/html' });
    res.end('<!doctype html><title>evil</title><body>');
  });
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  evilUrl = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
  if (chromiumPath !== null) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  evil.closeAllConnections();
  await new Promise<void>((resolve) => evil.close(() => resolve()));
  await product.stop();
  removeData(product);
});

/** The victim signed in, then on the page of the other origin. */
beforeEach(async () => {
  if (chromiumPath === null) return;
  await context?.close();
  context = await browser.newContext();
  page = await context.newPage();
  await page.goto(`${product.url}/login`);
  const id = await page.evaluate(async (user) => {
    const answer = await fetch('/api/user/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(user),
    });
    return (await answer.json()).data.id as number;
  }, victim);
  victimId = id;
  await page.goto(evilUrl);
});
let victimId = 0;

const sessionCookie = async () =>
  (await context.cookies()).find(({ name }) => name === 'session')?.value ?? '';
/** The browser's user at the site, requested from a page of the site. */
const whoAmI = async () => {
  const own = await context.newPage();
  await own.goto(`${product.url}/about`);
  return own.evaluate(async (userId) => {
    const headers = { 'new-api-user': String(userId) };
    const answer = await fetch('/api/user/self', { headers });
    return answer.status === 401 ? null : (await answer.json()).data.username;
  }, victimId);
};
/** Statuses of what the page of the other origin made the browser send to the site. */
const sent = () => {
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().startsWith(product.url)) statuses.push(response.status());
  });
  return statuses;
};

const here = test.skipIf(chromiumPath === null);

here('a picture that points at the logout leaves the visitor signed in', async () => {
  const before = await sessionCookie();
  const asked = page.waitForRequest(`${product.url}/api/user/logout`);
  await page.evaluate(
    (url) =>
      new Promise((resolve) => {
        const picture = new Image();
        picture.onload = resolve;
        picture.onerror = resolve;
        picture.src = `${url}/api/user/logout`;
      }),
    product.url,
  );
  await asked;
  expect(await sessionCookie()).toBe(before);
  expect(await whoAmI()).toBe('victim');
});

here('a form of plain text signs the visitor in as nobody else', async () => {
  const before = await sessionCookie();
  const statuses = sent();
  const [name, value] = JSON.stringify({ ...mallory, ignored: '=' }).split('=');
  await page.evaluate(
    ({ url, name, value }) => {
      const form = document.createElement('form');
      form.method = 'POST';
      form.enctype = 'text/plain';
      form.action = `${url}/api/user/login`;
      const field = document.createElement('input');
      field.name = name;
      field.value = value;
      form.append(field);
      document.body.append(form);
      form.submit();
    },
    { url: product.url, name: name ?? '', value: value ?? '' },
  );
  await page.waitForURL(`${product.url}/**`);
  expect(statuses[0]).toBe(403);
  expect(await sessionCookie()).toBe(before);
  expect(await whoAmI()).toBe('victim');
});

here('no call in the background reaches anything that changes', async () => {
  const tokens = await root.ok<unknown[]>('GET', '/api/audit?p=1&page_size=100');
  const statuses = sent();
  const calls = [
    ['POST', '/api/user/login'],
    ['POST', '/api/user/register'],
    ['POST', '/api/token/'],
    ['POST', '/api/verify'],
    ['POST', '/pg/chat/completions'],
    ['GET', '/api/user/token'],
    ['GET', '/api/user/logout'],
    ['GET', '/api/oauth/state'],
    ['GET', '/api/channel/test'],
  ] as const;
  await page.evaluate(
    async ({ url, calls }) => {
      for (const [method, path] of calls) {
        await fetch(url + path, {
          method,
          mode: 'no-cors',
          credentials: 'include',
          ...(method === 'POST' ? { body: '{}' } : {}),
        }).catch(() => undefined);
      }
    },
    { url: product.url, calls },
  );
  expect(statuses).toEqual(calls.map(() => 403));
  expect(await root.ok('GET', '/api/audit?p=1&page_size=100')).toEqual(tokens);
  expect(await whoAmI()).toBe('victim');
});

here('a login provider leads the browser back to the site', async () => {
  const link = `${product.url}/api/oauth/github?code=x&state=y`;
  const answer = page.waitForResponse((response) => response.url() === link);
  await page.evaluate((to) => {
    location.href = to;
  }, link);
  expect((await (await answer).json()).code).toBe('login.state-invalid');
});

test('programs without information about a site are served, by cookie and by access token', async () => {
  const program = new ConsoleClient(product.url);
  await program.login(rootUser.username, rootUser.password);
  await program.ok('PUT', '/api/user/self', {});
  const token = await program.ok<string>('GET', '/api/user/token');
  const answer = await fetch(`${product.url}/api/user/self`, {
    method: 'PUT',
    headers: {
      authorization: token,
      'new-api-user': String(program.userId),
      'content-type': 'application/json',
      origin: 'https://tools.example',
    },
    body: '{}',
  });
  expect(await answer.json()).toMatchObject({ success: true });
});
