import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { ConsoleClient, setUpSite } from '../support/console-client.ts';
import { freePort } from '../support/free-port.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../support/login/openid-provider.ts';
import { oidcOptions, stubClient } from '../support/login/start-logins.ts';
import { botToken, telegramFields } from '../support/login/telegram.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;

type UserRow = Readonly<{
  id: number;
  username: string;
  email: string;
  oidc_id: string;
  inviter_id: number;
  quota: number;
  aff_count: number;
}>;

withBrowser('people come by an OpenID provider (needs a Chromium)', () => {
  let product: Product;
  let provider: OpenIdProvider;
  let browser: Browser;
  let root: ConsoleClient;

  beforeAll(async () => {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    provider = await startOpenIdProvider(
      { ...stubClient('oidc'), redirectUri: `${address}/oauth/oidc` },
      {
        ada: {
          email: 'ada@example.com',
          email_verified: true,
          name: 'Ada Lovelace',
          preferred_username: 'ada',
        },
        eve: { email: 'eve@example.com', email_verified: true },
        bob: { email: 'bob@example.com', email_verified: true, preferred_username: 'bob' },
      },
    );
    product = await startProduct({ port });
    root = await setUpSite(product.url);
    const options = {
      ServerAddress: product.url,
      QuotaForNewUser: '1000',
      QuotaForInvitee: '200',
      QuotaForInviter: '300',
      ...oidcOptions(provider.wellKnown),
      TelegramBotToken: botToken,
      TelegramBotName: 'gate_bot',
      TelegramOAuthEnabled: 'true',
    };
    for (const [key, value] of Object.entries(options)) {
      await root.ok('PUT', '/api/option/', { key, value });
    }
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await provider?.close();
    if (product !== undefined) removeData(product);
  });

  const newcomer = async (): Promise<Readonly<{ context: BrowserContext; page: Page }>> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    return { context, page };
  };

  /** The provider's own pages: login and consent. */
  const agree = async (page: Page, login: string): Promise<void> => {
    await page.waitForURL(`${provider.issuer}/interaction/**`);
    await page.locator('input[name="login"]').fill(login);
    await page.locator('input[name="password"]').fill('anything');
    await page.locator('button[type="submit"]').click();
    await page.getByText('Continue', { exact: false }).first().waitFor();
    await page.locator('button[type="submit"]').click();
  };

  /** Also at the provider, which then requires the login again. */
  const signOut = async (context: BrowserContext, page: Page): Promise<void> => {
    await context.clearCookies();
    await page.evaluate(() => localStorage.removeItem('user'));
    await page.goto(`${product.url}/login`);
  };

  const find = async (username: string): Promise<UserRow> => {
    const { items } = await root.ok<{ items: UserRow[] }>(
      'GET',
      `/api/user/search?keyword=${username}`,
    );
    const user = items.find((row) => row.username === username);
    if (user === undefined) throw new Error(`${username} is not in the list`);
    return user;
  };

  test('a new person signs up by the provider, and returns to the same account', async () => {
    const { context, page } = await newcomer();
    await page.goto(`${product.url}/login`);
    await page.getByRole('button', { name: 'Continue with OIDC' }).click();
    await agree(page, 'ada');
    await page.waitForURL(`${product.url}/token`);
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
    const ada = await find('ada');
    expect(ada).toMatchObject({ email: 'ada@example.com', oidc_id: 'ada', quota: 1000 });

    await page.goto(`${product.url}/personal`);
    const row = page.getByRole('listitem', { name: 'OIDC' });
    await row.getByText('ada', { exact: true }).waitFor();
    await signOut(context, page);
    await page.getByRole('button', { name: 'Continue with OIDC' }).click();
    await agree(page, 'ada');
    await page.waitForURL(`${product.url}/token`);
    expect((await find('ada')).id).toBe(ada.id);
    await context.close();
  });

  test('an invited person signs up by the provider, and both are rewarded', async () => {
    const inviter = new ConsoleClient(product.url);
    await inviter.ok('POST', '/api/user/register', { username: 'eve', password: 'correct-horse' });
    await inviter.login('eve', 'correct-horse');
    const code = await inviter.ok<string>('GET', '/api/user/aff');
    const { context, page } = await newcomer();
    await page.goto(`${product.url}/register?aff=${code}`);
    await page.getByRole('button', { name: 'Continue with OIDC' }).click();
    await agree(page, 'bob');
    await page.waitForURL(`${product.url}/token`);
    expect(await find('bob')).toMatchObject({ inviter_id: inviter.userId, quota: 1200 });
    expect(await find('eve')).toMatchObject({ aff_count: 1 });
    await context.close();
  });

  test('a person with a password binds the provider, which then signs them in', async () => {
    const { context, page } = await newcomer();
    await page.goto(`${product.url}/login`);
    await page.getByLabel('User name or email').fill('eve');
    await page.getByLabel('Password', { exact: true }).fill('correct-horse');
    await page.locator('form').getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/token');
    await page.goto(`${product.url}/personal`);
    const row = page.getByRole('listitem', { name: 'OIDC' });
    await row.getByRole('button', { name: 'Bind' }).click();
    await agree(page, 'eve');
    await page.waitForURL(`${product.url}/setting`);
    await page.getByText('Account bound!').waitFor();
    await page.locator('#content').getByRole('link', { name: 'Personal settings' }).click();
    await row.getByRole('button', { name: 'Unbind' }).waitFor();
    expect(await find('eve')).toMatchObject({ oidc_id: 'eve' });

    await signOut(context, page);
    await page.getByRole('button', { name: 'Continue with OIDC' }).click();
    await agree(page, 'eve');
    await page.waitForURL(`${product.url}/token`);
    const stored = await page.evaluate(() => localStorage.getItem('user'));
    expect(JSON.parse(stored ?? '')).toMatchObject({ username: 'eve' });
    await context.close();
  });

  test('what Telegram’s widget hands to the page binds an account, and signs it in', async () => {
    const { context, page } = await newcomer();
    // In place of Telegram's own script: a button that hands over what Telegram has signed.
    const user = JSON.stringify(telegramFields(77, new Date()));
    await context.route('https://telegram.org/**', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        // As Telegram's does, it makes code of the page's text.
        body: `const handOver = new Function('user', document.currentScript.dataset.onauth);
          const button = document.createElement('button');
          button.type = 'button';
          button.textContent = 'Log in with Telegram';
          button.onclick = () => handOver(${user});
          document.body.append(button);`,
      }),
    );
    await page.goto(`${product.url}/login`);
    await page.getByLabel('User name or email').fill('eve');
    await page.getByLabel('Password', { exact: true }).fill('correct-horse');
    await page.locator('form').getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/token');
    await page.goto(`${product.url}/personal`);
    const telegram = page.frameLocator('.telegram-widget iframe');
    await telegram.getByRole('button', { name: 'Log in with Telegram' }).click();
    await page.getByText('Telegram account bound!').waitFor();
    await page.getByRole('listitem', { name: 'Telegram' }).getByText('77').waitFor();

    await signOut(context, page);
    await telegram.getByRole('button', { name: 'Log in with Telegram' }).click();
    await page.waitForURL(`${product.url}/token`);
    const stored = await page.evaluate(() => localStorage.getItem('user'));
    expect(JSON.parse(stored ?? '')).toMatchObject({ username: 'eve' });
    await context.close();
  });

  test('a link that another person began signs no person in', async () => {
    const { context, page } = await newcomer();
    await page.goto(`${product.url}/oauth/oidc?code=stolen&state=made-up`);
    await page.waitForURL(`${product.url}/login`);
    expect((await context.cookies()).some(({ name }) => name === 'session')).toBe(false);
    await context.close();
  });

  test('every login and every bound account is in the audit trail, with its address', async () => {
    type Entry = Readonly<{ type: string; ip: string; changes: unknown }>;
    const { items } = await root.ok<{ items: Entry[] }>('GET', '/api/audit?p=1&page_size=100');
    const entries = items.filter(({ type, changes }) => {
      const isAccess = type === 'IdentityLinked' || type === 'UserLoggedIn';
      return isAccess && JSON.stringify(changes).includes('oidc');
    });
    expect(entries.map(({ type }) => type).sort()).toEqual([
      ...Array.from({ length: 3 }, () => 'IdentityLinked'),
      ...Array.from({ length: 4 }, () => 'UserLoggedIn'),
    ]);
    expect(entries.every(({ ip }) => ip === '127.0.0.1')).toBe(true);
    expect(JSON.stringify(items)).not.toContain('ada@example.com');
  });
});
