import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { rootUser, setUpSite } from '../support/console-client.ts';
import { signIn } from '../support/console-pages.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';
import { AuthenticatorApp } from '../support/totp.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;
const boss = { username: 'boss', password: 'correct-horse-2' };

withBrowser('a second factor in a browser (needs a Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let url = '';
  /** The browser that enrols, and one that was signed in by password before. */
  let page: Page;
  let older: Page;
  let app: AuthenticatorApp;
  let codes: readonly string[] = [];

  const newPage = async (): Promise<Page> => {
    const context: BrowserContext = await browser.newContext({
      viewport: { width: 1280, height: 900 },
    });
    await context.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    const opened = await context.newPage();
    opened.setDefaultTimeout(30_000);
    return opened;
  };
  /** An authenticator in the browser itself: Chromium's, by the DevTools protocol. */
  const addAuthenticator = async (to: Page): Promise<void> => {
    const devTools = await to.context().newCDPSession(to);
    await devTools.send('WebAuthn.enable');
    await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  };
  const passwordStep = async (at: Page): Promise<void> => {
    await at.goto(`${url}/login`);
    await at.getByLabel('User name or email').fill(rootUser.username);
    await at.getByLabel('Password', { exact: true }).fill(rootUser.password);
    await at.locator('form').getByRole('button', { name: 'Sign in' }).click();
    await at.getByRole('heading', { name: 'Second step' }).waitFor();
  };
  const hasSession = async (at: Page): Promise<boolean> =>
    (await at.context().cookies()).some(({ name }) => name === 'session');
  const freshBrowser = async (): Promise<Page> => {
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.removeItem('user'));
    return page;
  };
  const card = (at: Page) => at.locator('#second-factor');

  beforeAll(async () => {
    product = await startProduct();
    // Passkeys are for named hosts; an address of numbers is none (WebAuthn, RP ID).
    url = product.url.replace('127.0.0.1', 'localhost');
    const root = await setUpSite(product.url);
    await root.ok('POST', '/api/user/', boss);
    await root.ok('POST', '/api/user/manage', { id: 2, action: 'promote' });
    const key = 'SecondFactorRequiredOfAdmins';
    await root.ok('PUT', '/api/option/', { key, value: 'true' });
    browser = await openBrowser();
    page = await newPage();
    older = await newPage();
    await addAuthenticator(page);
    await signIn(page, url);
    await signIn(older, url);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    if (product !== undefined) removeData(product);
  });

  test('is where administrators are led to while the site demands one of them', async () => {
    const admin = await newPage();
    await signIn(admin, url, boss);
    await admin.goto(`${url}/channel`);
    await admin.waitForURL('**/personal#second-factor');
    await card(admin)
      .getByText(/This site demands a second factor/)
      .waitFor();
    await admin.context().close();
  });

  test('is an authenticator app, which brings recovery codes that are shown once', async () => {
    await page.goto(`${url}/personal`);
    await card(page).getByRole('button', { name: 'Add authenticator app' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    const secret = (await dialog.locator('.totp-key').textContent()) ?? '';
    app = new AuthenticatorApp(secret.replaceAll(' ', ''));
    await dialog.getByLabel('Six digits that the app shows').fill(await app.nextCode());
    await dialog.getByRole('button', { name: 'Enable' }).click();
    const list = page.getByRole('list', { name: 'Recovery codes' });
    await list.waitFor();
    codes = await list.getByRole('listitem').allInnerTexts();
    expect(new Set(codes).size).toBe(10);
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await card(page).getByRole('listitem', { name: 'Authenticator app' }).waitFor();
    await card(page).getByText('10 left').waitFor();
    await page.reload();
    await card(page).getByText('10 left').waitFor();
    expect(await page.content()).not.toContain(codes[0]);
  });

  test('is a passkey, added, named and renamed', async () => {
    await card(page).getByRole('button', { name: 'Add passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Laptop');
    await dialog.getByRole('button', { name: 'Create passkey' }).click();
    const row = card(page).getByRole('listitem', { name: 'Laptop' });
    await row.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Old laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await card(page).getByRole('listitem', { name: 'Old laptop' }).waitFor();
    await card(page).scrollIntoViewIfNeeded();
  });

  test('is required again before an option of the super admin, and the change is made', async () => {
    await older.goto(`${url}/setting?tab=system&section=login`);
    const registration = older.getByLabel('Registration', { exact: true });
    await registration.waitFor();
    expect(await registration.isChecked()).toBe(true);
    await older.locator('label', { hasText: /^Registration$/ }).click();
    const dialog = older.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Confirm it is you' }).waitFor();
    await dialog.getByRole('button', { name: 'Use the authenticator app' }).click();
    await dialog.getByLabel('Code').fill(app.wrongCode());
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Code').fill(await app.nextCode());
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.waitFor({ state: 'detached' });
    await older.reload();
    await registration.waitFor();
    expect(await registration.isChecked()).toBe(false);
    // Once confirmed, the next one goes through.
    await older.locator('label', { hasText: /^Registration$/ }).click();
    await older.getByText('Saved').first().waitFor();
    expect(await older.getByRole('dialog').count()).toBe(0);
  });

  test('signs in as a passkey, and no session is open before', async () => {
    const fresh = await freshBrowser();
    await passwordStep(fresh);
    expect(await hasSession(fresh)).toBe(false);
    await fresh.getByRole('button', { name: 'Use passkey' }).click();
    await fresh.waitForURL('**/token');
    expect(await hasSession(fresh)).toBe(true);
  });

  test('signs in as a code of the authenticator app', async () => {
    const fresh = await freshBrowser();
    await passwordStep(fresh);
    await fresh.getByRole('button', { name: 'Use the authenticator app' }).click();
    await fresh.getByLabel('Code').fill(await app.nextCode());
    await fresh.locator('form').getByRole('button', { name: 'Sign in' }).click();
    await fresh.waitForURL('**/token');
  });

  test('signs in as a recovery code, which works once', async () => {
    const signInByCode = async (at: Page): Promise<void> => {
      await passwordStep(at);
      await at.getByRole('button', { name: 'Use a recovery code' }).click();
      await at.getByLabel('Recovery code').fill(codes[0] ?? '');
      await at.locator('form').getByRole('button', { name: 'Sign in' }).click();
    };
    const fresh = await freshBrowser();
    await signInByCode(fresh);
    await fresh.waitForURL('**/token');
    await fresh.goto(`${url}/personal`);
    await card(fresh).getByText('9 left').waitFor();
    await freshBrowser();
    await signInByCode(fresh);
    await fresh
      .getByRole('alert')
      .getByText(/has been used already/)
      .waitFor();
    expect(await hasSession(fresh)).toBe(false);
  });
});
