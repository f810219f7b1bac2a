import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../../console/shared/paths.ts';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { addToken, type ConsoleClient, setUpSite } from '../support/console-client.ts';
import { openLook, signIn } from '../support/console-pages.ts';
import { watchPolicy } from '../support/content-policy.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;
const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const elsewhere = 'https://elsewhere.test';

/** Replaces the rest of the internet. */
const serveElsewhere = async (context: BrowserContext): Promise<void> => {
  await context.route(/^https:/, (route) => {
    const url = route.request().url();
    if (url.startsWith('https://telegram.org/')) {
      const button = "document.body.append(Object.assign(document.createElement('button')))";
      const code = `new Function('user', document.currentScript.dataset.onauth); ${button};`;
      return route.fulfill({ contentType: 'text/javascript', body: code });
    }
    if (url.startsWith('https://challenges.cloudflare.com/')) {
      const frame = `place.append(Object.assign(document.createElement('iframe'), { src: 'https://challenges.cloudflare.com/frame' }))`;
      const code = `window.turnstile = { render: (place) => { ${frame}; return 'w'; }, remove: () => {} };`;
      const isScript = url.includes('/api.js');
      return route.fulfill({
        contentType: isScript ? 'text/javascript' : 'text/html',
        body: isScript ? code : '<p>check</p>',
      });
    }
    return route.fulfill({ contentType: 'text/html', body: '<p>elsewhere</p>' });
  });
};

/** That no page or overlay does what it forbids is seen in `accessibility.e2e.spec.ts`, which opens all of them. */
withBrowser('the policy of the console’s pages (needs a Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let root: ConsoleClient;

  beforeAll(async () => {
    product = await startProduct();
    root = await setUpSite(product.url);
    await addToken(root, { name: 'for the chat site' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    if (product !== undefined) removeData(product);
  });

  const set = (key: string, value: string): Promise<unknown> =>
    root.ok('PUT', '/api/option/', { key, value });

  const open = async (): Promise<{ page: Page; violations: readonly string[] }> => {
    const context = await openLook(browser, { theme: 'light', language: 'en', size: 'desktop' });
    const violations = await watchPolicy(context);
    await serveElsewhere(context);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    return { page, violations };
  };

  test('what operators can set up works under it', async () => {
    const html = `<p>Hello <b>you</b> <img src="${elsewhere}/a.png" alt=""><img src="${pixel}" alt=""></p>`;
    await set('Logo', `${elsewhere}/logo.png`);
    await set('Footer', html);
    await set('Notice', html);
    await set('About', `${elsewhere}/about`);
    await set('HomePageContent', `${elsewhere}/home`);
    await set('Chats', JSON.stringify([{ Embedded: `${elsewhere}/chat?k={key}` }]));
    await set('TelegramBotToken', '123456:bot-token');
    await set('TelegramBotName', 'gate_bot');
    await set('TelegramOAuthEnabled', 'true');
    const { page, violations } = await open();
    await signIn(page, product.url);
    await set('TurnstileSiteKey', 'key');
    await set('TurnstileSecretKey', 'secret');
    await set('TurnstileCheckEnabled', 'true');
    for (const path of [paths.home, paths.about, `${paths.chat}/0`]) {
      await page.goto(product.url + path);
      await page.locator('iframe').first().waitFor();
      const frame = page.frameLocator('iframe');
      await frame.getByText('elsewhere').first().waitFor();
    }
    await page.goto(product.url + paths.personal);
    await page.frameLocator('.telegram-widget iframe').locator('button').first().waitFor();
    await page.locator('.footer .operator-html b').waitFor();
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.removeItem('user'));
    await page.goto(product.url + paths.login);
    await page.frameLocator('.human-check iframe').getByText('check').waitFor();
    expect(violations).toEqual([]);
    await page.context().close();
  }, 300_000);

  test('code that finds its way into a page does not run, and pages of other sites cannot frame it', async () => {
    const { page, violations } = await open();
    await page.goto(product.url + paths.login);
    const ran = await page.evaluate(async () => {
      const marks: string[] = [];
      Object.assign(window, { mark: (by: string) => marks.push(by) });
      const inline = document.createElement('script');
      inline.textContent = "window.mark('inline')";
      const foreign = Object.assign(document.createElement('script'), {
        src: 'https://elsewhere.test/x.js',
      });
      const image = document.createElement('div');
      image.innerHTML = '<img src="x" onerror="window.mark(\'attribute\')">';
      document.body.append(inline, foreign, image);
      await new Promise((resolve) => setTimeout(resolve, 500));
      return marks;
    });
    expect(ran).toEqual([]);
    await eventually(async () => expect(violations.length).toBeGreaterThanOrEqual(3));
    await page.context().close();

    const { headers } = await fetch(product.url);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    expect(headers.get('content-security-policy')).not.toMatch(/script-src [^;]*unsafe/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('strict-transport-security')).toBeNull();
  }, 120_000);

  test('a site whose address is https is requested by that alone', async () => {
    await set('ServerAddress', 'https://gate.example');
    await eventually(async () => {
      const { headers } = await fetch(product.url);
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    });
  });
});
