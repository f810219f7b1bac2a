import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../../console/shared/paths.ts';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { chat } from '../support/chat.ts';
import { addChannel, addToken, type ConsoleClient, setUpSite } from '../support/console-client.ts';
import { openLook, routes, screens, signIn, visit } from '../support/console-pages.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;
const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const elsewhere = 'https://elsewhere.test';

/** What browsers say when a page does what its policy forbids. */
const watch = async (context: BrowserContext): Promise<string[]> => {
  const violations: string[] = [];
  await context.exposeFunction('noteViolation', (text: string) => violations.push(text));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { violatedDirective, blockedURI, sourceFile, lineNumber } = event;
      const text = `${location.pathname}: ${violatedDirective} ${blockedURI} at ${sourceFile}:${lineNumber}`;
      (window as unknown as { noteViolation: (said: string) => void }).noteViolation(text);
    });
  });
  return violations;
};

/** Stands in for the rest of the internet. */
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

withBrowser('the policy of the console’s pages (needs a Chromium)', () => {
  let product: Product;
  let provider: StubProvider;
  let browser: Browser;
  let root: ConsoleClient;

  beforeAll(async () => {
    provider = await startStubProvider();
    product = await startProduct();
    root = await setUpSite(product.url);
    await addChannel(root, provider.url);
    const { key } = await addToken(root, { name: 'my app' });
    await root.ok('POST', '/api/redemption/', { name: 'gift', count: 2, quota: 500_000 });
    for (const stream of [true, false]) await chat(product.url, key, { stream });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await provider?.close();
    if (product !== undefined) removeData(product);
  });

  const set = (key: string, value: string): Promise<unknown> =>
    root.ok('PUT', '/api/option/', { key, value });

  type Look = Parameters<typeof openLook>[1];
  const open = async (look: Look): Promise<{ page: Page; violations: string[] }> => {
    const context = await openLook(browser, look);
    const violations = await watch(context);
    await serveElsewhere(context);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    return { page, violations };
  };

  // The sections of the settings are of the same components on a phone.
  test.each([
    { look: { theme: 'light', language: 'en', size: 'desktop' }, visited: screens },
    { look: { theme: 'dark', language: 'zh', size: 'phone' }, visited: routes },
  ] as const)(
    'no address of the console does what it forbids: $look.theme, $look.size',
    async ({ look, visited }) => {
      const visitor = await open(look);
      const admin = await open(look);
      await signIn(admin.page, product.url);
      for (const { path, by } of visited) {
        const { page } = by === 'root' ? admin : visitor;
        await visit(page, product.url + path);
      }
      expect([...visitor.violations, ...admin.violations]).toEqual([]);
      await visitor.page.context().close();
      await admin.page.context().close();
    },
    600_000,
  );

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
    const { page, violations } = await open({ theme: 'light', language: 'en', size: 'desktop' });
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
    const { page, violations } = await open({ theme: 'light', language: 'en', size: 'desktop' });
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

  test('a site whose address is https is asked for by that alone', async () => {
    await set('ServerAddress', 'https://gate.example');
    await eventually(async () => {
      const { headers } = await fetch(product.url);
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    });
  });
});
