import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { run } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { type Look, openLook, screens, signIn, visit } from '../support/console-pages.ts';
import { watchPolicy } from '../support/content-policy.ts';
import type { Overlay } from '../support/overlays/kinds.ts';
import { openOverlay } from '../support/overlays/open.ts';
import { overlays } from '../support/overlays/registry.ts';
import { type ConsoleSite, startConsoleSite } from '../support/overlays/site.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Each theme at each size, and each language. */
const looks: readonly Look[] = [
  { theme: 'light', language: 'en', size: 'desktop' },
  { theme: 'dark', language: 'zh', size: 'phone' },
  { theme: 'dark', language: 'en', size: 'desktop' },
  { theme: 'light', language: 'zh', size: 'phone' },
];
/** Serious and critical findings, one line each. */
const findingsOn = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run: typeof run } }).axe.run(document, {
      iframes: false,
      resultTypes: ['violations'],
    }),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
};

/** Each in one look, in turn; `npm run test:overlays` takes each in all of them. */
const isFull = process.env.OVERLAYS === 'full';
const inTurn = <T>(all: readonly T[], at: number): readonly T[] =>
  isFull ? all : all.filter((_, place) => place % looks.length === at);
const overlaysIn = (at: number): readonly Overlay[] => {
  const size = looks[at]?.size;
  const wanted = overlays.filter(({ isLikeOthers }) => isFull || !isLikeOthers);
  const ofOneSize = wanted.filter(({ only }) => only !== undefined && only === size);
  return [
    ...inTurn(
      wanted.filter(({ only }) => only === undefined),
      at,
    ),
    ...(isFull ? ofOneSize : ofOneSize.filter((_, place) => place % 2 === Math.floor(at / 2))),
  ];
};

withBrowser('people who use a screen reader or the keyboard (needs a Chromium)', () => {
  let site: ConsoleSite;
  let browser: Browser;

  beforeAll(async () => {
    site = await startConsoleSite();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });

  describe.each(looks.map((look, at) => ({ ...look, look, at })))(
    '$theme, $language, $size',
    ({ look, at }) => {
      let contexts: Readonly<Record<'visitor' | 'root', BrowserContext>>;
      let pages: Readonly<Record<'visitor' | 'root', Page>>;
      let forbidden: readonly (readonly string[])[];
      beforeAll(async () => {
        contexts = { visitor: await openLook(browser, look), root: await openLook(browser, look) };
        forbidden = await Promise.all(Object.values(contexts).map(watchPolicy));
        pages = { visitor: await contexts.visitor.newPage(), root: await contexts.root.newPage() };
        for (const page of Object.values(pages)) page.setDefaultTimeout(10_000);
        await signIn(pages.root, site.product.url);
      });
      afterAll(async () => {
        for (const context of Object.values(contexts ?? {})) await context.close();
      });

      test.each(inTurn(screens, at))(
        'find nothing serious in their way at $path',
        async (screen) => {
          const page = pages[screen.by];
          await visit(page, site.product.url + screen.path);
          expect(await findingsOn(page)).toEqual([]);
        },
      );

      test.each(overlaysIn(at))('find nothing serious with this open: $name', async (overlay) => {
        const page = pages[overlay.by ?? 'root'];
        await openOverlay(page, { url: site.product.url, look }, overlay);
        expect(await findingsOn(page)).toEqual([]);
      });

      test('all of it kept to the content security policy', () => {
        expect(forbidden.flat()).toEqual([]);
      });
    },
  );
});
