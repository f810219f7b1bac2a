import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import {
  addChannel,
  addToken,
  type ConsoleClient,
  rootUser,
  self,
  setUpSite,
  type TokenRow,
} from '../support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;

type Drawing = Readonly<{ id: string; status: string; progress: string; failReason: string }>;
type VerifyState = Readonly<{ report: Readonly<{ breaks: unknown[] }> | null }>;

/** One drawing and one song at the built-in prices, in quota units. */
const drawingCost = 50_000;
const songCost = 50_000;

let product: Product;
let provider: StubProvider;
let admin: ConsoleClient;
let token: TokenRow;

beforeAll(async () => {
  provider = await startStubProvider();
  product = await startProduct();
  admin = await setUpSite(product.url);
  const models = 'mj_imagine,mj_upscale';
  await addChannel(admin, provider.url, { type: 2, name: 'drawings', key: 'mj-key', models });
  const music = 'suno_music,suno_lyrics';
  await addChannel(admin, provider.url, { type: 36, name: 'music', key: 'key', models: music });
  token = await addToken(admin);
});
afterAll(async () => {
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const answer = await fetch(`${product.url}${path}`, {
    method,
    headers: { 'mj-api-secret': `sk-${token.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
};
const draw = async (prompt: string): Promise<string> =>
  (await call<{ result: string }>('POST', '/mj/submit/imagine', { prompt })).result;
const drawing = (id: string): Promise<Drawing> => call('GET', `/mj/task/${id}/fetch`);
/** Polls the provider at once instead of in a quarter of a minute. */
const ended = (id: string): Promise<Drawing> =>
  eventually(async () => {
    await admin.call('POST', '/api/jobs/task-polling/run', {});
    const found = await drawing(id);
    if (found.progress !== '100%') throw new Error(`still ${found.progress}`);
    return found;
  });

let balance = 0;
let drawn = '';

test('a drawing is paid when it is taken, and found as soon as it was answered', async () => {
  const before = (await self(admin)).quota;
  drawn = await draw('a gate at dawn');
  expect(await drawing(drawn)).toMatchObject({ id: drawn, progress: '0%' });
  balance = before - drawingCost;
  await eventually(async () => expect((await self(admin)).quota).toBe(balance));
  expect(await ended(drawn)).toMatchObject({ status: 'SUCCESS' });
});

test('a drawing that fails is paid back, once', async () => {
  const before = await self(admin);
  const id = await draw('a gate that will fail');
  const found = await ended(id);
  expect(found).toMatchObject({ status: 'FAILURE', failReason: 'the brush broke' });
  await eventually(async () => {
    const { quota, used_quota } = await self(admin);
    expect({ quota, used_quota }).toEqual({ quota: before.quota, used_quota: before.used_quota });
  });
  await admin.call('POST', '/api/jobs/task-polling/run', {});
  expect((await self(admin)).quota).toBe(balance);
});

test('a step on a finished drawing goes to the same provider and costs its own price', async () => {
  const change = { taskId: drawn, action: 'UPSCALE', index: 1 };
  const { code } = await call<{ code: number }>('POST', '/mj/submit/change', change);
  expect(code).toBe(1);
  balance -= drawingCost / 2;
  await eventually(async () => expect((await self(admin)).quota).toBe(balance));
});

test('a song is requested, generated and fetched', async () => {
  const body = { gpt_description_prompt: 'a song of gates' };
  const submitted = await call<{ data: string }>('POST', '/suno/submit/music', body);
  const song = await eventually(async () => {
    await admin.call('POST', '/api/jobs/task-polling/run', {});
    type Song = Readonly<{ data: Readonly<{ status: string; data: unknown[] }> }>;
    const { data } = await call<Song>('GET', `/suno/fetch/${submitted.data}`);
    if (data.status !== 'SUCCESS') throw new Error(data.status);
    return data;
  });
  expect(song.data).toMatchObject([{ title: 'a song' }]);
  balance -= songCost;
  await eventually(async () => expect((await self(admin)).quota).toBe(balance));
});

withBrowser('in a browser (needs a Chromium)', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(`${product.url}/login`);
    await page.getByLabel('User name or email').fill(rootUser.username);
    await page.getByLabel('Password', { exact: true }).fill(rootUser.password);
    await page.locator('form').getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/token');
  });
  afterAll(() => browser?.close());

  test('the drawing log shows both drawings, and why one failed', async () => {
    await page.goto(`${product.url}/midjourney`);
    await page.getByText('the brush broke').first().waitFor();
    await page.getByRole('cell', { name: 'Upscale' }).waitFor();
    expect(await page.getByText('Drawing callbacks are off', { exact: false }).count()).toBe(1);
  });

  test('the task log shows the song, and all its facts', async () => {
    await page.goto(`${product.url}/task`);
    await page.getByText('Suno').waitFor();
    await page.locator('button.full-text').first().click();
    await page.getByRole('dialog').getByText('"clip-', { exact: false }).waitFor();
  });

  test('the ledger shows the refund and what it is for', async () => {
    await page.goto(`${product.url}/ledger`);
    await page.getByText('task failed').first().waitFor();
  });
});

test('the books are right at the end', async () => {
  await admin.ok('POST', '/api/verify', {});
  const report = await eventually(async () => {
    const state = await admin.ok<VerifyState>('GET', '/api/verify');
    if (state.report === null) throw new Error('verify is still running');
    return state.report;
  });
  expect(report.breaks).toEqual([]);
});
