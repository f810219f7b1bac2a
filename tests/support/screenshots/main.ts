/* `npm run screenshots`: every route, light and dark, Chinese and English, desktop and phone. */
import { mkdirSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../browser.ts';
import { chat } from '../chat.ts';
import { addChannel, addToken, rootUser, setUpSite } from '../console-client.ts';
import { removeData, startProduct } from '../product.ts';
import { startStubProvider } from '../stub-provider/server.ts';

const routes = [
  '/',
  '/login',
  '/register',
  '/channel',
  '/channel/add',
  '/token',
  '/log',
  '/ledger',
  '/user',
  '/personal',
  '/playground',
  '/audit',
  '/redemption',
  '/setting',
  '/setting?tab=system',
  '/topup',
  '/about',
  '/projections',
  '/verify',
  '/no-such-page',
];
const looks = [
  { name: 'desktop', viewport: { width: 1280, height: 800 } },
  { name: 'phone', viewport: { width: 375, height: 760 } },
];

const shoot = async (
  browser: Browser,
  url: string,
  look: Readonly<{ theme: string; language: string; size: (typeof looks)[number] }>,
): Promise<void> => {
  const { theme, language, size } = look;
  const context = await browser.newContext({ viewport: size.viewport });
  await context.addInitScript(
    ([mode, tongue]) => {
      localStorage.setItem('theme-mode', mode ?? '');
      localStorage.setItem('i18nextLng', tongue ?? '');
    },
    [theme, language],
  );
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.locator('input').first().fill(rootUser.username);
  await page.locator('input[type=password]').fill(rootUser.password);
  await page.locator('form button[type=submit]').click();
  await page.waitForURL('**/token');
  for (const route of routes) {
    await page.goto(url + route, { waitUntil: 'networkidle' });
    const name = route === '/' ? 'home' : route.slice(1).replaceAll(/[/?=]/g, '-');
    await page.screenshot({ path: `screenshots/${name}-${size.name}-${theme}-${language}.png` });
  }
  await context.close();
};

mkdirSync('screenshots', { recursive: true });
const provider = await startStubProvider();
const product = await startProduct();
const browser = await openBrowser();
try {
  const admin = await setUpSite(product.url);
  await addChannel(admin, provider.url);
  await addChannel(admin, 'http://127.0.0.1:9', { name: 'backup', priority: -5, tag: 'spare' });
  const { key } = await addToken(admin, { name: 'my app' });
  for (let i = 0; i < 24; i += 1) {
    await chat(product.url, key, { stream: i % 2 === 0, model: i % 3 ? 'gpt-4o-mini' : 'gpt-4o' });
  }
  for (const size of looks) {
    for (const theme of ['light', 'dark']) {
      for (const language of ['zh', 'en']) {
        await shoot(browser, product.url, { theme, language, size });
      }
    }
  }
} finally {
  await browser.close();
  await product.stop();
  await provider.close();
  removeData(product);
}
process.exit(0);
