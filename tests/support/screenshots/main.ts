/*
 * `npm run screenshots [-- --look=dark-zh-phone] [PATH or NAME OF AN OVERLAY…]`: every route,
 * section of the settings and overlay, light and dark, Chinese and English, desktop and phone.
 */
import { mkdirSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../browser.ts';
import { type Look, nameOf, openLook, screens, signIn, visit } from '../console-pages.ts';
import { openOverlay, settled } from '../overlays/open.ts';
import { overlays } from '../overlays/registry.ts';
import { startConsoleSite } from '../overlays/site.ts';

const words = process.argv.slice(2);
const wantedLook = words.find((word) => word.startsWith('--look='))?.slice('--look='.length);
const wanted = words.filter((word) => !word.startsWith('--'));
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const failed: string[] = [];

const shoot = async (browser: Browser, url: string, look: Look): Promise<void> => {
  const visitor = await openLook(browser, look);
  const root = await openLook(browser, look);
  const pages = { visitor: await visitor.newPage(), root: await root.newPage() };
  for (const page of Object.values(pages)) page.setDefaultTimeout(15_000);
  await signIn(pages.root, url);
  const fileOf = (name: string): string =>
    `screenshots/${[name, look.size, look.theme, look.language].join('-')}.png`;
  for (const { path, by } of screens.filter(({ path }) => isWanted(path))) {
    await visit(pages[by], url + path);
    await settled(pages[by]);
    await pages[by].screenshot({ path: fileOf(nameOf(path)) });
  }
  for (const overlay of overlays.filter(({ name }) => isWanted(name))) {
    if (overlay.only !== undefined && overlay.only !== look.size) continue;
    const page = pages[overlay.by ?? 'root'];
    const file = fileOf(`open-${nameOf(`/${overlay.name}`)}`);
    try {
      await openOverlay(page, { url, look }, overlay);
      await page.screenshot({ path: file });
    } catch (error) {
      failed.push(`${file}: ${String(error).slice(0, 200)}`);
    }
  }
  await visitor.close();
  await root.close();
};

mkdirSync('screenshots', { recursive: true });
const site = await startConsoleSite(24);
const browser = await openBrowser();
try {
  for (const size of ['desktop', 'phone'] as const) {
    for (const theme of ['light', 'dark'] as const) {
      for (const language of ['zh', 'en'] as const) {
        const isMeant = [undefined, [theme, language, size].join('-')].includes(wantedLook);
        if (isMeant) await shoot(browser, site.product.url, { theme, language, size });
      }
    }
  }
} finally {
  await browser.close();
  await site.stop();
}
if (failed.length > 0) console.error(failed.join('\n'));
process.exit(failed.length === 0 ? 0 : 1);
