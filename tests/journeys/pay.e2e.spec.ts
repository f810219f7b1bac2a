import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { type ConsoleClient, rootUser, self, setUpSite } from '../support/console-client.ts';
import { type LantuStub, startLantuStub } from '../support/lantu-stub.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
  'Version/18.0 Mobile/15E148 Safari/604.1';
/** 15 dollars and 18 % of it. */
const credited = 7_500_000 + 1_350_000;

withBrowser('somebody pays by WeChat in a browser (needs a Chromium)', () => {
  let product: Product;
  let provider: LantuStub;
  let browser: Browser;
  let page: Page;
  let admin: ConsoleClient;
  let before = 0;
  let paid = '';

  const openPage = async (options: { userAgent?: string } = {}): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 1100 },
      ...options,
    });
    await context.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    const opened = await context.newPage();
    opened.setDefaultTimeout(30_000);
    await opened.goto(`${product.url}/login`);
    await opened.getByLabel('User name or email').fill(rootUser.username);
    await opened.getByLabel('Password', { exact: true }).fill(rootUser.password);
    await opened.locator('form').getByRole('button', { name: 'Sign in' }).click();
    await opened.waitForURL('**/token');
    await opened.goto(`${product.url}/topup`);
    return opened;
  };
  const order = async (opened: Page, pick: string): Promise<void> => {
    await opened.getByRole('button', { name: pick }).click();
    await opened.getByText(/^To pay: \d\d+\.\d\d CNY$/).waitFor();
    await opened.getByRole('button', { name: 'Pay by WeChat' }).click();
    await opened.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
  };
  const newestOrder = (): string => [...provider.orders.keys()].at(-1) ?? '';

  beforeAll(async () => {
    provider = await startLantuStub();
    product = await startProduct();
    admin = await setUpSite(product.url);
    for (const [key, value] of [
      ['ServerAddress', product.url],
      ['LantuApiUrl', provider.url],
      ['LantuMchId', provider.merchantId],
      ['LantuSecretKey', provider.secret],
    ]) {
      await admin.ok('PUT', '/api/option/', { key, value });
    }
    before = (await self(admin)).quota;
    browser = await openBrowser();
    page = await openPage();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await provider?.close();
    if (product !== undefined) removeData(product);
  });

  test('chooses an amount and gets a code to scan', async () => {
    await order(page, '$15 +18%');
    const dialog = page.getByRole('dialog', { name: 'Pay by WeChat' });
    await dialog.getByRole('img', { name: 'Code to scan' }).waitFor();
    await dialog.getByText('108.00 CNY').waitFor();
    paid = newestOrder();
    expect(provider.orders.get(paid)?.fields).toMatchObject({ total_fee: '108.00' });
    await dialog.getByText(`Order ${paid}`).waitFor();
  });

  test('pays with the phone, and the page shows it without a reload', async () => {
    expect(await provider.payAndNotify(paid)).toBe('SUCCESS');
    await page.getByText('Topped up!').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('$217.70').first().waitFor();
    expect((await self(admin)).quota).toBe(before + credited);
    const row = page.getByRole('row', { name: new RegExp(paid) });
    await row.getByText('Paid', { exact: true }).waitFor();
  });

  test('sees the credit in the ledger, with the number of the provider', async () => {
    await page.goto(`${product.url}/ledger`);
    const row = page.getByRole('row', { name: /Online top-up/ }).first();
    await row.getByRole('button', { name: 'Show details' }).click();
    await page
      .getByText(new RegExp(`${paid} / WX1`))
      .first()
      .waitFor();
  });

  test('is credited once, however often the provider reports it', async () => {
    const notice = new URLSearchParams(provider.noticeOf(paid)).toString();
    const tell = async () => {
      const answer = await fetch(`${product.url}/api/user/lantu/notify`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: notice,
      });
      return answer.text();
    };
    const answers = await Promise.all(Array.from({ length: 50 }, tell));
    expect(new Set(answers)).toEqual(new Set(['SUCCESS']));
    expect((await self(admin)).quota).toBe(before + credited);
  });

  test('fifty first notices of one payment at one moment credit it once', async () => {
    const { trade_no: tradeNo } = await admin.ok<{ trade_no: string }>(
      'POST',
      '/api/user/pay_lantu',
      { amount: 1 },
    );
    provider.pay(tradeNo);
    const body = new URLSearchParams(provider.noticeOf(tradeNo)).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const url = `${product.url}/api/user/lantu/notify`;
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () =>
        (await fetch(url, { method: 'POST', headers, body })).text(),
      ),
    );
    expect(new Set(answers)).toEqual(new Set(['SUCCESS']));
    expect((await self(admin)).quota).toBe(before + credited + 525_000);
  });

  test('on a phone is led to the provider, and sees the order succeed on the way back', async () => {
    const mobile = await openPage({ userAgent: phone });
    await mobile.route('https://pay.example.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>WeChat</h1>' }),
    );
    await order(mobile, '$3 +8%');
    await mobile.waitForURL('https://pay.example.com/h5/**');
    provider.pay(newestOrder());
    await mobile.goto(`${product.url}/topup`);
    await mobile.getByText('Topped up!').waitFor();
    await mobile.context().close();
  });

  test('the operator sees that payments and credits agree', async () => {
    await page.goto(`${product.url}/reconciliation`);
    await page.getByText('Payments and credits agree').waitFor();
    await page.getByRole('table', { name: 'All orders' }).getByText(paid).waitFor();
    const found = await admin.ok<{ paid: { count: number; money: string } }>(
      'GET',
      '/api/topup/reconciliation',
    );
    expect(found.paid).toMatchObject({ count: 3, money: '136.80' });
  });

  test('the trail names who reported that the order was paid', async () => {
    const url = `/api/audit?subject_kind=topup&subject_id=${paid}`;
    const { items } = await admin.ok<{
      items: { type: string; actor: { kind: string; id: string } }[];
    }>('GET', url);
    expect(items.map(({ type, actor }) => [type, actor.kind])).toEqual([
      ['TopUpPaid', 'payment'],
      ['TopUpOrdered', 'admin'],
    ]);
  });

  test('at the end the books have no break', async () => {
    const { stdout } = await eventually(() =>
      promisify(execFile)(process.execPath, ['infra/tooling/start.mjs', 'verify', '--json'], {
        env: { PATH: process.env.PATH, DATA_DIR: product.dataDir },
      }),
    );
    const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { breaks: object[] };
    expect(report.breaks).toEqual([]);
  });
});
