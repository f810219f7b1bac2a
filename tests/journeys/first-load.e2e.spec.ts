import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { chat } from '../support/chat.ts';
import { addChannel, addToken, type ConsoleClient, setUpSite } from '../support/console-client.ts';
import { openLook, visit } from '../support/console-pages.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;
/** Bytes of compressed script before a screen shows what it has. */
const mostBytes = 250_000;
/** And after that: the chart library. */
const mostLaterBytes = 120_000;

type Script = Readonly<{ name: string; bytes: number; startedAt: number }>;

const sumOf = (scripts: readonly Script[]): number =>
  scripts.reduce((sum, { bytes }) => sum + bytes, 0);

withBrowser('the first load (needs a Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let root: ConsoleClient;
  let provider: StubProvider;

  beforeAll(async () => {
    product = await startProduct();
    root = await setUpSite(product.url);
    // With a call, so that the lists have rows.
    provider = await startStubProvider();
    await addChannel(root, provider.url);
    await chat(product.url, (await addToken(root)).key, {});
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await provider?.close();
    if (product !== undefined) removeData(product);
  });

  /** Scripts transferred for an address in an empty browser, before and after it shows its data. */
  const scriptsOf = async (path: string, language: 'zh' | 'en') => {
    const context = await openLook(browser, { theme: 'light', language, size: 'desktop' });
    if (path !== '/login') {
      const [name = '', value = ''] = (root.headers.cookie ?? '').split('=', 2);
      await context.addCookies([{ name, value, url: product.url }]);
      const user = { id: root.userId, username: 'root', role: 100, status: 1, group: 'default' };
      await context.addInitScript(
        (text) => localStorage.setItem('user', text),
        JSON.stringify(user),
      );
    }
    const page = await context.newPage();
    await page.addInitScript(() => {
      let isBusy = true;
      new MutationObserver(() => {
        const wasBusy = isBusy;
        const main = document.querySelector('main');
        isBusy = main === null || main.querySelector('.bp6-skeleton, .bp6-spinner') !== null;
        if (wasBusy && !isBusy) Object.assign(window, { shownAt: Date.now() });
      }).observe(document, { subtree: true, childList: true, attributes: true });
    });
    const loads: Promise<Script>[] = [];
    page.on('requestfinished', (request) => {
      if (request.resourceType() !== 'script') return;
      const name = request.url().split('/').at(-1) ?? '';
      const startedAt = request.timing().startTime;
      const load = request
        .sizes()
        .then(({ responseBodySize: bytes }) => ({ name, bytes, startedAt }));
      loads.push(load);
    });
    await visit(page, product.url + path);
    const hasCharts = (await page.locator('.chart').count()) > 0;
    if (hasCharts) await page.locator('.chart svg').first().waitFor();
    const shownAt = await page.evaluate(() => Number(Reflect.get(window, 'shownAt')));
    const scripts = await Promise.all(loads);
    await context.close();
    return {
      first: scripts.filter(({ startedAt }) => startedAt <= shownAt),
      later: scripts.filter(({ startedAt }) => startedAt > shownAt),
    };
  };

  test.each([
    { path: '/login', language: 'zh' },
    { path: '/login', language: 'en' },
    { path: '/token', language: 'zh' },
    { path: '/log', language: 'en' },
    { path: '/detail', language: 'en' },
  ] as const)(
    '$path in $language takes no more script than a slow line can carry',
    async (view) => {
      const { first, later } = await scriptsOf(view.path, view.language);
      const sum = sumOf(first);
      const largest = [...first].sort((a, b) => b.bytes - a.bytes).slice(0, 4);
      const shown = largest.map(({ name, bytes }) => `${name} ${(bytes / 1_000).toFixed(1)}`);
      console.log(
        `${view.path} ${view.language}: ${(sum / 1_000).toFixed(1)} KB in ${first.length} scripts (${shown.join(', ')}), then ${(sumOf(later) / 1_000).toFixed(1)} KB`,
      );
      expect(first.length).toBeGreaterThan(0);
      expect(sum).toBeGreaterThan(10_000);
      expect(sum).toBeLessThanOrEqual(mostBytes);
      expect(sumOf(later)).toBeLessThanOrEqual(mostLaterBytes);
    },
  );
});
