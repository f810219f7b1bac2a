import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { addChannel, type ConsoleClient, setUpSite } from '../support/console-client.ts';
import { openLook, screens, signIn, visit } from '../support/console-pages.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;
const password = 'correct-horse';

let product: Product;
let provider: StubProvider;
let browser: Browser;
let root: ConsoleClient;

beforeAll(async () => {
  provider = await startStubProvider();
  product = await startProduct();
  root = await setUpSite(product.url);
  await addChannel(root, provider.url);
  await root.ok('PUT', '/api/option/', { key: 'QuotaForInvitee', value: '2000' });
  await root.ok('PUT', '/api/option/', { key: 'QuotaForInviter', value: '600000' });
  if (chromiumPath !== null) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

const desk = async (): Promise<Page> => {
  const context = await openLook(browser, { theme: 'light', language: 'en', size: 'desktop' });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  return page;
};

const inviteLink = async (client: ConsoleClient): Promise<string> =>
  `${product.url}/register?aff=${await client.ok<string>('GET', '/api/user/aff')}`;

/** Fills the form of the register page and follows it to the sign-in. */
const register = async (page: Page, link: string, username: string): Promise<void> => {
  await page.goto(link);
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password').fill(password);
  await page.locator('form button[type=submit]').click();
  await page.waitForURL('**/login');
};

withBrowser('the day of an administrator (needs a Chromium)', () => {
  let page: Page;
  beforeAll(async () => {
    page = await desk();
    await signIn(page, product.url);
  });
  afterAll(() => page?.context().close());

  test('names the site, and the name is in the bar', async () => {
    await page.goto(`${product.url}/setting?tab=other&section=name`);
    const name = page.getByRole('textbox', { name: 'Name of the site' });
    await name.fill('Ada’s models');
    const card = page.locator('section').filter({ has: name }).last();
    await card.getByRole('button', { name: 'Save' }).first().click();
    await page.getByRole('banner').getByText('Ada’s models').waitFor();
  });

  test('switches a channel off and on again', async () => {
    await page.goto(`${product.url}/channel`);
    const row = page.getByRole('row').filter({ hasText: 'stub' });
    const act = async (name: string) => {
      await row.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await act('Disable');
    await row.getByText('disabled', { exact: false }).first().waitFor();
    await act('Enable');
    await row.getByText('Enabled').first().waitFor();
  });

  test('adds a user and gives them quota', async () => {
    await page.goto(`${product.url}/user`);
    await page.getByRole('button', { name: 'Add user' }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel(/^User name/).fill('grace');
    await drawer.getByLabel(/^Password/).fill(password);
    await drawer.getByRole('button', { name: 'Submit' }).click();
    const row = page.getByRole('row').filter({ hasText: 'grace' });
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('Add quota').fill('250000');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel(/^Reason/).fill('a gift to begin with');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('button', { name: 'Adjust balance' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await row.getByText('$0.50').first().waitFor();
  });

  test('makes codes', async () => {
    await page.goto(`${product.url}/redemption`);
    await page.getByRole('button', { name: 'Add codes' }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel(/^Name/).fill('spring');
    await drawer.getByLabel(/^Quota/).fill('1000000');
    await drawer.getByLabel(/^How many/).fill('2');
    await drawer.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Save them as a text file?').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('cell', { name: 'spring' }).first().waitFor();
  });

  test('sees all of it in the audit trail, by name and address', async () => {
    await page.goto(`${product.url}/audit`);
    const acts = [
      'root changed the setting Name of the site (SystemName)',
      'root disabled the channel stub',
      'root adjusted the quota of grace',
      'root created the redemption code spring',
    ];
    for (const act of acts) {
      await page.getByRole('row').filter({ hasText: act }).first().waitFor();
    }
    await page.getByRole('row').filter({ hasText: '127.0.0.1' }).first().waitFor();
  });
});

withBrowser('the day of a user, and a bill that is disputed (needs a Chromium)', () => {
  let page: Page;
  let adaId = 0;
  beforeAll(async () => {
    page = await desk();
  });
  afterAll(() => page?.context().close());

  test('registers by invitation', async () => {
    await register(page, await inviteLink(root), 'ada');
    await signIn(page, product.url, { username: 'ada', password });
    adaId = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').id);
    expect(adaId).toBeGreaterThan(1);
  });

  test('redeems a code', async () => {
    const made = { name: 'welcome', count: 1, quota: 5_000_000 };
    const [code] = await root.ok<string[]>('POST', '/api/redemption/', made);
    await page.goto(`${product.url}/topup`);
    await page.getByLabel('Redemption code').fill(code ?? '');
    await page.getByRole('button', { name: 'Redeem' }).click();
    await page.getByText('$10.00').first().waitFor();
  });

  test('makes a token and talks in the playground', async () => {
    await page.goto(`${product.url}/token`);
    await page.getByRole('button', { name: 'Add API key' }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel(/^Name/).fill('my app');
    await drawer.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('cell', { name: 'my app' }).first().waitFor();
    await page.goto(`${product.url}/playground`);
    await page.getByRole('textbox', { name: /message/i }).fill('a day at the console');
    await page.keyboard.press('Enter');
    await page.getByText('You said: a day at the console').waitFor();
  });

  test('finds the call in the log and takes the log along as a file', async () => {
    await page.goto(`${product.url}/log`);
    const row = page.getByRole('row').filter({ hasText: /gpt-/ });
    await row.first().waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const coming = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Current page' }).click();
    expect((await coming).suggestedFilename()).toMatch(/\.csv$/);
  });

  test('turns rewards of an invitation into quota', async () => {
    const other = await desk();
    const aff = await page.evaluate(async () => {
      const { id } = JSON.parse(localStorage.getItem('user') ?? '{}');
      const answer = await fetch('/api/user/aff', { headers: { 'New-Api-User': String(id) } });
      return (await answer.json()).data as string;
    });
    await register(other, `${product.url}/register?aff=${aff}`, 'bob');
    await other.context().close();
    await page.goto(`${product.url}/personal`);
    await page.getByRole('button', { name: 'Transfer' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/Quota units/).fill('600000');
    await dialog.getByRole('button', { name: /Transfer|OK/ }).click();
    await page.getByText('Transferred').waitFor();
    await page.goto(`${product.url}/ledger`);
    await page.getByRole('row').filter({ hasText: 'Referral transfer' }).first().waitFor();
  });

  test('disputes a charge: an administrator re-prices it and posts the correction', async () => {
    const office = await desk();
    await signIn(office, product.url);
    await office.goto(`${product.url}/ledger/${adaId}`);
    const charge = office.getByRole('row').filter({ hasText: 'Charge' }).first();
    // The label takes the click, and is waited for until the chart above has its place.
    await charge.getByRole('checkbox').locator('..').click();
    await office.getByRole('button', { name: 'Re-price' }).click();
    const drawer = office.getByRole('dialog');
    await drawer.getByLabel('Group ratio').fill('0.5');
    await drawer.getByRole('button', { name: 'Dry run' }).click();
    await drawer.getByRole('table', { name: 'Result of the dry run' }).waitFor();
    await drawer.getByLabel(/^Reason/).fill('answer was cut off');
    await drawer.getByLabel(/^Reference/).fill('ticket 12');
    await drawer.getByRole('button', { name: 'Review correction' }).click();
    const question = office.getByRole('dialog', { name: 'Post this correction?' });
    await question.getByText('Balance after').waitFor();
    await question.getByRole('button', { name: 'Post correction' }).click();
    const receipt = office.getByRole('dialog', { name: 'Correction posted' });
    await receipt.getByRole('link', { name: 'Show in the ledger' }).click();
    await office.waitForURL('**/ledger/*?kind=CorrectionPosted');
    await office.getByRole('row').filter({ hasText: 'Correction' }).first().waitFor();
    await office.context().close();
    await page.goto(`${product.url}/ledger`);
    await page.getByRole('row').filter({ hasText: 'Correction' }).first().waitFor();
    expect(await page.getByText('root').count()).toBe(0);
  });
});

withBrowser('the console on a phone (needs a Chromium)', () => {
  test('no screen is wider than the phone', async () => {
    const context = await openLook(browser, { theme: 'dark', language: 'zh', size: 'phone' });
    const page = await context.newPage();
    await signIn(page, product.url);
    const wide: string[] = [];
    for (const { path } of screens.filter(({ by }) => by === 'root')) {
      await visit(page, product.url + path);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > 375) wide.push(`${path}: ${width}`);
    }
    expect(wide).toEqual([]);
    await context.close();
  });
});
