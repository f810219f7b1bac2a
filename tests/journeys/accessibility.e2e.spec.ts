import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { run } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { chat } from '../support/chat.ts';
import { addChannel, addToken, setUpSite } from '../support/console-client.ts';
import { type Look, openLook, screens, signIn, visit } from '../support/console-pages.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Each theme, each size and each language is among them. */
const looks: readonly Look[] = [
  { theme: 'light', language: 'en', size: 'desktop' },
  { theme: 'dark', language: 'zh', size: 'phone' },
];

/** Serious and critical findings, one line each. */
const findingsOn = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run: typeof run } }).axe.run(document, { iframes: false }),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
};

type Overlay = Readonly<{ name: string; path: string; open: (page: Page) => Promise<void> }>;

const press =
  (selector: string, at = 0) =>
  async (page: Page) =>
    page.locator(selector).nth(at).click();
/** What opens over a page, by what opens it in every language. */
const overlays: readonly Overlay[] = [
  { name: 'menu of the person', path: '/token', open: press('.user-menu') },
  { name: 'search', path: '/token', open: press('.palette-button') },
  {
    name: 'drawer of a channel',
    path: '/channel/add',
    open: press('.tg-drawer h4, .tg-drawer h5'),
  },
  {
    name: 'choice of one',
    path: '/channel/add',
    open: press('.tg-drawer input[role=combobox]'),
  },
  {
    name: 'choice of several',
    path: '/channel/add',
    open: press('.tg-drawer .bp6-tag-input input[role=combobox]'),
  },
  { name: 'drawer of a user', path: '/user/edit/1', open: press('.tg-drawer input') },
];

withBrowser('people who use a screen reader or the keyboard (needs a Chromium)', () => {
  let product: Product;
  let provider: StubProvider;
  let browser: Browser;

  beforeAll(async () => {
    provider = await startStubProvider();
    product = await startProduct();
    const admin = await setUpSite(product.url);
    await addChannel(admin, provider.url);
    await admin.ok('POST', '/api/user/', { username: 'ada', password: 'correct-horse' });
    await admin.ok('POST', '/api/redemption/', { name: 'gift', count: 2, quota: 500_000 });
    const { key } = await addToken(admin, { name: 'my app' });
    for (const stream of [true, false]) await chat(product.url, key, { stream });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await provider?.close();
    if (product !== undefined) removeData(product);
  });

  describe.each(looks)('$theme, $language, $size', (look) => {
    let contexts: Readonly<Record<'visitor' | 'root', BrowserContext>>;
    let pages: Readonly<Record<'visitor' | 'root', Page>>;
    beforeAll(async () => {
      contexts = { visitor: await openLook(browser, look), root: await openLook(browser, look) };
      pages = { visitor: await contexts.visitor.newPage(), root: await contexts.root.newPage() };
      await signIn(pages.root, product.url);
    });
    afterAll(async () => {
      for (const context of Object.values(contexts ?? {})) await context.close();
    });

    test.each(screens)('find nothing serious in their way at $path', async ({ path, by }) => {
      const page = pages[by];
      await visit(page, product.url + path);
      expect(await findingsOn(page)).toEqual([]);
    });

    test.each(overlays)('find nothing serious with the $name open', async ({ path, open }) => {
      const page = pages.root;
      await visit(page, product.url + path);
      await open(page);
      // The overlay moves in first.
      await page.waitForTimeout(400);
      expect(await findingsOn(page)).toEqual([]);
      await page.keyboard.press('Escape');
    });
  });
});
