import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, middayZone, openBrowser } from '../support/browser.ts';
import { chat } from '../support/chat.ts';
import { addChannel, addToken, setUpSite } from '../support/console-client.ts';
import { openLook, signIn, visit } from '../support/console-pages.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;
/** Of both tabs together, in an hour. */
const maxCalls = 40;
const minutes = 60;

withBrowser('pages that stay open (needs a Chromium)', () => {
  let product: Product;
  let provider: StubProvider;
  let browser: Browser;
  let key: string;

  beforeAll(async () => {
    provider = await startStubProvider();
    // As a user starts it: with the limits that hold where nothing is set.
    product = await startProduct({ env: { API_RATE_LIMIT: '180', API_USER_RATE_LIMIT: '3000' } });
    const admin = await setUpSite(product.url);
    await addChannel(admin, provider.url);
    key = (await addToken(admin, { name: 'my app' })).key;
    await chat(product.url, key, { stream: false });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await provider?.close();
    if (product !== undefined) removeData(product);
  });

  test('two tabs cost next to nothing in an hour without traffic, and show the next call', async () => {
    const context = await openLook(browser, {
      theme: 'light',
      language: 'en',
      size: 'desktop',
      // The browser's hour passes in half a minute, and "today" must still be the server's.
      timezoneId: middayZone(),
    });
    const pages: Page[] = [await context.newPage(), await context.newPage()];
    await context.clock.install();
    await signIn(pages[0] as Page, product.url);
    await visit(pages[0] as Page, `${product.url}/log`);
    await visit(pages[1] as Page, `${product.url}/detail`);
    // What the visits themselves have started ends.
    await sleep(5_000);

    const calls: string[] = [];
    const refused: string[] = [];
    context.on('request', (request) => {
      if (request.url().includes('/api/')) calls.push(new URL(request.url()).pathname);
    });
    context.on('response', (response) => {
      if (response.status() === 429) refused.push(response.url());
    });
    for (let minute = 0; minute < minutes; minute += 1) {
      for (const page of pages) await page.clock.runFor(60_000);
      await sleep(300);
    }
    console.log(
      `an idle hour of two tabs: ${calls.length} calls (${[...new Set(calls)].join(', ')})`,
    );
    expect(refused).toEqual([]);
    expect(calls.length).toBeLessThan(maxCalls);

    calls.length = 0;
    await chat(product.url, key, { stream: false });
    const rows = (pages[0] as Page).getByRole('row').filter({ hasText: 'gpt-4o-mini' });
    await rows.nth(1).waitFor();
    expect(calls).toContain('/api/log/');
    await context.close();
  });
});
