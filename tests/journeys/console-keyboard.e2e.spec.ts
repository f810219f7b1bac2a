import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { addChannel, rootUser, setUpSite } from '../support/console-client.ts';
import { openLook } from '../support/console-pages.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;
/** Further than this from where the keyboard is, nothing counts as within reach. */
const maxTabs = 60;

withBrowser('the day of an administrator by keyboard alone (needs a Chromium)', () => {
  let product: Product;
  let provider: StubProvider;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    provider = await startStubProvider();
    product = await startProduct();
    await addChannel(await setUpSite(product.url), provider.url);
    browser = await openBrowser();
    const context = await openLook(browser, { theme: 'light', language: 'en', size: 'desktop' });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await provider?.close();
    if (product !== undefined) removeData(product);
  });

  /** Presses Tab until the focus is there, and sees that it is shown. */
  const tabTo = async (target: Locator): Promise<void> => {
    // Located again for each press: a live list may get a new first row meanwhile.
    const isThere = () => target.evaluate((node) => document.activeElement === node);
    for (let presses = 0; !(await isThere()); presses += 1) {
      if (presses === maxTabs) throw new Error(`not within ${maxTabs} Tabs: ${String(target)}`);
      await page.keyboard.press('Tab');
    }
    const ring = await target.evaluate((node) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(node);
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
    });
    if (!ring) throw new Error(`the focus is not shown: ${String(target)}`);
  };
  const press = async (target: Locator, key = 'Enter'): Promise<void> => {
    await tabTo(target);
    await page.keyboard.press(key);
  };
  const type = async (target: Locator, text: string): Promise<void> => {
    await tabTo(target);
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
  };
  /** By the palette, from wherever the keyboard is. */
  const goTo = async (name: string, address: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    const option = page.getByRole('option', { name: new RegExp(`^${name} ?Page$`) });
    await page.getByRole('combobox', { name: /^Search pages/ }).waitFor();
    await page.keyboard.type(name);
    await option.waitFor();
    while ((await option.getAttribute('aria-selected')) !== 'true') {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${address}`);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  /** In the menu that is open. */
  const choose = async (name: string): Promise<void> => {
    const item = page.getByRole('menuitem', { name });
    await item.waitFor();
    const element = await item.elementHandle();
    for (let presses = 0; presses < 10; presses += 1) {
      if (await page.evaluate((node) => document.activeElement === node, element)) break;
      await page.keyboard.press('ArrowDown');
    }
    expect(await page.evaluate((node) => document.activeElement === node, element)).toBe(true);
    await page.keyboard.press('Enter');
  };
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

  test('signs in', async () => {
    await page.goto(`${product.url}/login`);
    await type(page.getByLabel('User name or email'), rootUser.username);
    await type(page.getByLabel('Password', { exact: true }), rootUser.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/token');
  });

  test('switches a channel off and on by its menu, which gives the focus back', async () => {
    await goTo('Channels', '/channel');
    const row = page.getByRole('row').filter({ hasText: 'stub' });
    for (const [act, state] of [
      ['Disable', 'disabled'],
      ['Enable', 'Enabled'],
    ] as const) {
      await press(row.getByRole('button', { name: /^Actions for/ }));
      await choose(act);
      await row.getByText(state, { exact: false }).first().waitFor();
      await expect.poll(focused).toMatch(/^Actions for/);
    }
  });

  test('adds a user', async () => {
    await goTo('Users', '/user');
    await press(page.getByRole('button', { name: 'Add user' }).first());
    const drawer = page.getByRole('dialog');
    await type(drawer.getByLabel(/^User name/), 'grace');
    await type(drawer.getByLabel(/^Password/), 'correct-horse');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'grace' }).waitFor();
  });

  test('adjusts a balance: form, confirmation, receipt, line of the ledger', async () => {
    const row = page.getByRole('row').filter({ hasText: 'grace' });
    await press(row.getByRole('button', { name: /^Actions for/ }));
    await choose('Edit');
    await type(page.getByLabel('Add quota'), '250000');
    await press(page.getByRole('button', { name: 'Add', exact: true }));
    await type(page.getByLabel(/^Reason/), 'a gift to begin with');
    await press(page.getByRole('button', { name: 'Submit' }));
    await press(page.getByRole('button', { name: 'Adjust balance' }));
    const receipt = page.getByRole('dialog', { name: 'Balance adjusted' });
    await press(receipt.getByRole('link', { name: 'Show in the ledger' }));
    await page.waitForURL('**/ledger/*');
    await page.getByRole('row').filter({ hasText: 'a gift to begin with' }).waitFor();
  });

  test('opens a row, moves to the next, and returns to where it was', async () => {
    await goTo('Audit trail', '/audit');
    const rows = page.locator('tr[data-row]');
    await tabTo(rows.first());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.row-drawer').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.row-drawer').waitFor({ state: 'detached' });
    await expect
      .poll(() => rows.nth(1).evaluate((row) => document.activeElement === row))
      .toBe(true);
  });

  test('makes codes', async () => {
    await goTo('Redemption codes', '/redemption');
    await press(page.getByRole('button', { name: 'Add codes' }).first());
    const drawer = page.getByRole('dialog');
    await type(drawer.getByLabel(/^Name/), 'spring');
    await type(drawer.getByLabel(/^Quota/), '1000000');
    await page.keyboard.press('Enter');
    await page.getByText('Save them as a text file?').waitFor();
    await drawer.getByRole('button', { name: 'Submit' }).waitFor({ state: 'detached' });
    await press(page.getByRole('button', { name: 'Cancel' }));
    await page.getByRole('cell', { name: 'spring' }).first().waitFor();
  });

  test('changes a setting and saves it', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search pages/ }).waitFor();
    await page.keyboard.type('Name of the site');
    await page.locator('.palette [role=option]').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**section=name');
    await type(page.getByRole('textbox', { name: 'Name of the site' }), 'By keyboard');
    await press(page.getByRole('button', { name: 'Save' }));
    await page.getByRole('banner').getByText('By keyboard').waitFor();
  });
});
