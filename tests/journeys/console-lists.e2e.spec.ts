import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { channelEdit, paths } from '../../console/shared/paths.ts';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { type Look, openLook, routes, signIn, visit } from '../support/console-pages.ts';
import { type ConsoleSite, startConsoleSite } from '../support/overlays/site.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;

/** Lists that are wider than their frame, and columns that end beyond the edge of the window. */
const outOfSight = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const lists = [...document.querySelectorAll('.table-scroll')];
    const wide = lists
      .map((list) => list.scrollWidth - list.clientWidth)
      .filter((beyond) => beyond > 1)
      .map((beyond) => `a list is ${beyond} px wider than its frame`);
    const heads = lists.flatMap((list) => [...list.querySelectorAll('th')]);
    const hidden = heads
      .filter((head) => head.checkVisibility({ visibilityProperty: true }))
      .filter((head) => head.offsetWidth > 1)
      .filter((head) => head.getBoundingClientRect().right > innerWidth + 1)
      .map((head) => `${head.textContent} is out of sight`);
    return [...wide, ...hidden];
  });

withBrowser('lists and forms of the console (needs a Chromium)', () => {
  let site: ConsoleSite;
  let browser: Browser;

  beforeAll(async () => {
    site = await startConsoleSite();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });

  const signedIn = async (look: Look): Promise<Page> => {
    const page = await (await openLook(browser, look)).newPage();
    page.setDefaultTimeout(20_000);
    await signIn(page, site.product.url);
    return page;
  };

  test.each([
    // English words are the longer ones.
    { language: 'en', size: 'desktop' },
    { language: 'en', size: 'phone' },
  ] as const)(
    'every column of every list is in sight, in $language on a $size',
    { timeout: 180_000 },
    async ({ language, size }) => {
      const page = await signedIn({ theme: 'light', language, size });
      const hidden: string[] = [];
      let lists = 0;
      for (const { path } of routes.filter(({ by }) => by === 'root')) {
        await visit(page, site.product.url + path);
        lists += await page.locator('.table-scroll').count();
        for (const what of await outOfSight(page)) hidden.push(`${path}: ${what}`);
      }
      expect(hidden).toEqual([]);
      expect(lists).toBeGreaterThan(10);
      await page.context().close();
    },
  );

  test('Escape asks for confirmation before the edits of a channel are lost, and keeps them', async () => {
    const page = await signedIn({ theme: 'light', language: 'en', size: 'desktop' });
    await visit(page, site.product.url + channelEdit(1));
    const name = page.locator('.bp6-drawer').getByLabel(/^Name/);
    const before = await name.inputValue();
    await name.fill('renamed');
    await page.keyboard.press('Escape');
    await page.getByText('Discard your changes?').waitFor();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await name.inputValue()).toBe('renamed');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.locator('.bp6-drawer').waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: before }).first().waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'renamed' }).count()).toBe(0);
    await page.context().close();
  });

  test('an edited section of the settings requires a confirmation before another one opens', async () => {
    const page = await signedIn({ theme: 'light', language: 'en', size: 'desktop' });
    await visit(page, site.product.url + paths.setting);
    const address = page.url();
    const field = page.locator('main input[type=text]').first();
    await field.fill('12345');
    await page.locator('.setting-nav a').last().click();
    await page.getByText('Discard your changes?').waitFor();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect([page.url(), await field.inputValue()]).toEqual([address, '12345']);
    await page.locator('.setting-nav a').last().click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.waitForURL((url) => url.href !== address);
    await page.context().close();
  });
});
