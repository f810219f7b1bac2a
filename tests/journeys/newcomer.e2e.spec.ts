import OpenAI from 'openai';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { rootUser } from '../support/console-client.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;

withBrowser('a newcomer in a browser (needs a Chromium)', () => {
  let product: Product;
  let provider: StubProvider;
  let browser: Browser;
  let page: Page;
  let key = '';

  beforeAll(async () => {
    provider = await startStubProvider();
    product = await startProduct();
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    page = await context.newPage();
    page.setDefaultTimeout(30_000);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await provider?.close();
    if (product !== undefined) removeData(product);
  });

  test('is led to the setup and sets the site up', async () => {
    await page.goto(product.url);
    await page.waitForURL('**/setup');
    await page.getByLabel('User name').fill(rootUser.username);
    await page.getByLabel('Password', { exact: false }).first().fill(rootUser.password);
    await page.getByLabel('Confirm password').fill(rootUser.password);
    await page.getByRole('button', { name: 'Initialise system' }).click();
    await page.waitForURL('**/login');
  });

  test('signs in and lands on the tokens', async () => {
    await page.getByLabel('User name or email').fill(rootUser.username);
    await page.getByLabel('Password', { exact: true }).fill(rootUser.password);
    await page.locator('form').getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/token');
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
  });

  test('adds a channel and tests it', async () => {
    await page.goto(`${product.url}/channel`);
    await page.getByRole('button', { name: 'Add channel' }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel(/^Name/).fill('stub');
    await drawer.getByLabel(/^API address/).fill(provider.url);
    await drawer.getByLabel(/^Key/).fill('anything');
    await drawer.getByRole('button', { name: 'Fill related models' }).click();
    await drawer.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('cell', { name: 'stub' }).first().waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).first().click();
    await page.getByText(/Channel stub works/).waitFor();
  });

  test('makes a token and sees its key', async () => {
    await page.goto(`${product.url}/token`);
    await page.getByRole('button', { name: 'Add API key' }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel(/^Name/).fill('my app');
    await drawer.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('cell', { name: 'my app' }).first().waitFor();
    key = await page.evaluate(async () => {
      const { id } = JSON.parse(localStorage.getItem('user') ?? '{}');
      const answer = await fetch('/api/token/?p=0&size=10', {
        headers: { 'New-Api-User': String(id) },
      });
      return (await answer.json()).data[0].key;
    });
    expect(key).toMatch(/^[0-9A-Za-z]{48}$/);
  });

  test('calls with the official library and finds the call in the usage log', async () => {
    const openai = new OpenAI({ apiKey: `sk-${key}`, baseURL: `${product.url}/v1` });
    const answer = await openai.chat.completions.create({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'what is a tollgate' }],
    });
    expect(answer.choices[0]?.message.content).toContain('tollgate');
    await page.goto(`${product.url}/log`);
    await page.getByRole('cell', { name: 'gpt-4o-mini' }).first().waitFor();
    await page.getByRole('cell', { name: 'my app' }).first().waitFor();
  });

  test('talks to the model in the playground', async () => {
    await page.goto(`${product.url}/playground`);
    await page.getByRole('textbox', { name: /message/i }).fill('hello from the playground');
    await page.keyboard.press('Enter');
    await page.getByText('You said: hello from the playground').waitFor();
  });

  test('sees in the ledger what each call cost, and how that was computed', async () => {
    await page.goto(`${product.url}/ledger`);
    await page.getByText('gpt-4o-mini').first().waitFor();
    const row = page.getByRole('row').filter({ hasText: 'gpt-4o-mini' }).first();
    await row.getByRole('button').first().click();
    await page.getByText('Completion', { exact: false }).first().waitFor();
  });

  test('changes theme and language, and both stay after a reload', async () => {
    const own = await page.context().browser()?.newContext();
    if (own === undefined) throw new Error('no browser');
    const other = await own.newPage();
    await other.goto(`${product.url}/login`);
    await other.getByRole('heading', { name: '登录' }).waitFor();
    await other
      .getByRole('button', { name: /深色|暗/ })
      .first()
      .click();
    await other
      .getByRole('button', { name: /语言|language/i })
      .first()
      .click();
    await other.getByText('English').click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.reload();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await other.evaluate(() => localStorage.getItem('theme-mode'))).toBe('dark');
    expect(await other.locator('body.bp6-dark, .bp6-dark').count()).toBeGreaterThan(0);
    await own.close();
  });

  test('is sent to the login page when the sign-in is over', async () => {
    await page.context().clearCookies();
    await page.goto(`${product.url}/log`);
    await page.waitForURL('**/login**');
  });
});
