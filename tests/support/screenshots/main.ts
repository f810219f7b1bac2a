/*
 * `npm run screenshots [-- PATH…]`: every route, light and dark, Chinese and English, desktop and phone.
 */
import { mkdirSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../browser.ts';
import { chat } from '../chat.ts';
import { addChannel, addToken, setUpSite } from '../console-client.ts';
import { type Look, nameOf, openLook, screens, signIn, visit } from '../console-pages.ts';
import { removeData, startProduct } from '../product.ts';
import { startStubProvider } from '../stub-provider/server.ts';

const shoot = async (browser: Browser, url: string, look: Look): Promise<void> => {
  const visitor = await openLook(browser, look);
  const root = await openLook(browser, look);
  const pages = { visitor: await visitor.newPage(), root: await root.newPage() };
  await signIn(pages.root, url);
  const wanted = process.argv.slice(2);
  for (const { path, by } of screens) {
    if (wanted.length > 0 && !wanted.includes(path)) continue;
    await visit(pages[by], url + path);
    const name = [nameOf(path), look.size, look.theme, look.language].join('-');
    await pages[by].screenshot({ path: `screenshots/${name}.png` });
  }
  await visitor.close();
  await root.close();
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
  for (const size of ['desktop', 'phone'] as const) {
    for (const theme of ['light', 'dark'] as const) {
      for (const language of ['zh', 'en'] as const) {
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
