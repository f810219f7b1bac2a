import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, middayZone, openBrowser } from '../support/browser.ts';
import { chat } from '../support/chat.ts';
import { addChannel, addToken, ConsoleClient, self, setUpSite } from '../support/console-client.ts';
import { openLook, signIn } from '../support/console-pages.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;
const password = 'correct-horse';

/**
 * 1,000 prompt and 200 completion tokens of gpt-4o-mini, whose completion costs four times its
 * prompt, at a ratio of 75: (1,000 + 200 × 4) × 75 = 135,000 units, $0.27.
 */
const usage = { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 };
const calls = 3;

let product: Product;
let provider: StubProvider;
let browser: Browser;
let root: ConsoleClient;
let ada: ConsoleClient;
let key: string;

const ask = async (times: number): Promise<void> => {
  const body = { messages: [{ role: 'user', content: 'hi' }], stub: { usage } };
  for (let i = 0; i < times; i += 1) {
    expect((await chat(product.url, key, body)).status).toBe(200);
  }
};

beforeAll(async () => {
  provider = await startStubProvider();
  product = await startProduct();
  root = await setUpSite(product.url);
  await addChannel(root, provider.url);
  await root.ok('PUT', '/api/option/', { key: 'ModelRatio', value: '{"gpt-4o-mini":75}' });
  await root.ok('PUT', '/api/option/', { key: 'QuotaForNewUser', value: '5000000' });
  await root.ok('POST', '/api/user/', { username: 'ada', password });
  ada = new ConsoleClient(product.url);
  await ada.login('ada', password);
  key = (await addToken(ada, { name: 'my app' })).key;
  await ask(calls);
  await eventually(async () => expect((await self(ada)).request_count).toBe(calls));
  if (chromiumPath !== null) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  await context.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return page;
};

withBrowser('a change of price, looked at before it is made (needs a Chromium)', () => {
  let page: Page;
  beforeAll(async () => {
    page = await open({ timezoneId: middayZone() });
    // For the browser it is the day after; the latest requests were made yesterday.
    await page.clock.setFixedTime(Date.now() + 86_400_000);
    await signIn(page, product.url);
  });
  afterAll(() => page?.context().close());

  test('shows what the calls of yesterday were charged and would be charged', async () => {
    await page.goto(`${product.url}/setting?tab=operation&section=visual`);
    await page.getByRole('searchbox', { name: 'Find a model' }).fill('gpt-4o-mini');
    await page.getByRole('textbox', { name: 'gpt-4o-mini Model ratio', exact: true }).fill('100');
    const preview = page.getByRole('status', { name: 'Effect on yesterday’s calls' });
    await preview.getByText('$0.81').waitFor();
    // (1,000 + 200 × 4) × 100 = 180,000 units, $0.36; three of them.
    await preview.getByText('$1.08').waitFor();
    await preview.getByText('+$0.27').waitFor();
    const figures = await preview.locator('dd').allTextContents();
    expect(figures.map((text) => text.trim())).toEqual(['3', '$0.81', '$1.08', '+$0.27']);
  });

  test('is charged from the next call on, and what was charged stays', async () => {
    await page.getByRole('button', { name: 'Apply changes' }).click();
    await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });
    expect((await self(ada)).used_quota).toBe(calls * 135_000);
    // Relays receive it a moment later; a call that was begun before is charged at the old price.
    await eventually(async () => {
      const before = await self(ada);
      await ask(1);
      const after = await eventually(async () => {
        const now = await self(ada);
        expect(now.request_count).toBe(before.request_count + 1);
        return now;
      });
      expect(after.used_quota - before.used_quota).toBe(180_000);
    });
  });
});

withBrowser('a disputed charge, from the palette to the receipt (needs a Chromium)', () => {
  test('is found by the name of the user, corrected, and leads to its line', async () => {
    const page = await open();
    await signIn(page, product.url);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    await palette.getByRole('combobox').fill('ada');
    await palette.getByRole('option', { name: /^ada/ }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/user/edit/${ada.userId}`);
    const editor = page.getByRole('dialog', { name: 'Edit user' });
    await editor.getByLabel(/^User name/).waitFor();
    await page.keyboard.press('Escape');
    await editor.waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'ada' });
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Ledger' }).click();
    await page.waitForURL(`**/ledger/${ada.userId}`);
    const { quota: before, used_quota, request_count } = await self(ada);
    // Whatever its price was: half of the newest charge is returned.
    const half = (used_quota - (request_count - 1) * 135_000) / 2;
    const _shown = new RegExp(`^\\+\\$0\\.${half === 90_000 ? '18' : '135'}`);
    const charge = page.getByRole('row').filter({ hasText: 'Charge' }).first();
    await charge.getByRole('checkbox').locator('..').click();
    await page.getByRole('button', { name: 'Re-price' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Group ratio').fill('0.5');
    await drawer.getByRole('button', { name: 'Dry run' }).click();
    await drawer.getByRole('table', { name: 'Result of the dry run' }).waitFor();
    await drawer.getByLabel(/^Reason/).fill('the answer was cut off');
    await drawer.getByRole('button', { name: 'Review correction' }).click();
    const question = page.getByRole('dialog', { name: 'Post this correction?' });
    await question
      .getByText(/^\+\$0\.18/)
      .first()
      .waitFor();
    await question.getByRole('button', { name: 'Post correction' }).click();
    const receipt = page.getByRole('dialog', { name: 'Correction posted' });
    await receipt
      .getByText(/^\+\$0\.18/)
      .first()
      .waitFor();
    await receipt.getByRole('link', { name: 'Show in the ledger' }).click();
    await page.waitForURL('**/ledger/*?kind=CorrectionPosted');
    const line = page.getByRole('row').filter({ hasText: 'the answer was cut off' });
    await line
      .getByText(/^\+?\$0\.1/)
      .first()
      .waitFor();
    expect((await self(ada)).quota).toBe(before + half);
    await page.context().close();
  });
});

withBrowser('a user with a phone, by touch alone (needs a Chromium)', () => {
  let page: Page;
  beforeAll(async () => {
    const context = await openLook(browser, { theme: 'light', language: 'en', size: 'phone' });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
  });
  afterAll(() => page?.context().close());

  const goTo = async (name: string) => {
    await page.getByRole('button', { name: 'Open menu' }).tap();
    const menu = page.locator('.bp6-drawer');
    await menu.getByRole('link', { name, exact: true }).tap();
    await menu.waitFor({ state: 'detached' });
  };

  test('signs in', async () => {
    await page.goto(`${product.url}/login`);
    await page.getByLabel('User name or email').tap();
    await page.getByLabel('User name or email').fill('ada');
    await page.getByLabel('Password', { exact: true }).tap();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.locator('form').getByRole('button', { name: 'Sign in' }).tap();
    await page.waitForURL('**/token');
  });

  test('creates an API key, and calls with it', async () => {
    await page.getByRole('button', { name: 'Add API key' }).first().tap();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel(/^Name/).tap();
    await drawer.getByLabel(/^Name/).fill('phone');
    await drawer.getByRole('button', { name: 'Submit' }).tap();
    const card = page.getByRole('row').filter({ hasText: 'phone' });
    await card.getByRole('button', { name: 'View' }).tap();
    const shown = await page.locator('.whole-key').textContent();
    expect(shown).toMatch(/^sk-[0-9A-Za-z]{48}$/);
    key = shown?.slice(3) ?? '';
    await page.keyboard.press('Escape');
    await ask(1);
  });

  test('sees the charge, and what it is for', async () => {
    await goTo('Usage log');
    const card = page.getByRole('row').filter({ hasText: '$0.36' }).first();
    await card.tap();
    const sheet = page.locator('.row-drawer');
    await sheet.getByText('phone').first().waitFor();
    await sheet.getByText('$0.36').first().waitFor();
    await sheet.getByRole('button', { name: 'Close' }).tap();
    await sheet.waitFor({ state: 'detached' });
  });

  test('tops up with a code', async () => {
    const [code] = await root.ok<string[]>('POST', '/api/redemption/', {
      name: 'welcome',
      count: 1,
      quota: 5_000_000,
    });
    const before = (await self(ada)).quota;
    await goTo('Wallet');
    await page.getByLabel('Redemption code').tap();
    await page.getByLabel('Redemption code').fill(code ?? '');
    await page.getByRole('button', { name: 'Redeem' }).tap();
    await page.getByRole('dialog').getByText('$10.00').first().waitFor();
    expect((await self(ada)).quota).toBe(before + 5_000_000);
  });
});
