import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import {
  type Look,
  openLook,
  routes,
  type Screen,
  screens,
  signIn,
  visit,
} from '../support/console-pages.ts';
import { watchPolicy } from '../support/content-policy.ts';
import { settled } from '../support/overlays/open.ts';
import { type ConsoleSite, startConsoleSite } from '../support/overlays/site.ts';

const withBrowser = chromiumPath === null ? describe.skip : describe;
/** The sum over the whole load of a page; what follows an act of the user does not count. */
const maxShift = 0.05;
/** `npm run report:pages`: every section of the settings; else a long one for all of them. */
const isReport = process.env.PAGES === 'report';
const measured = isReport
  ? screens
  : [...routes, ...screens.filter(({ path }) => path.endsWith('section=payment'))];

type Measured = Readonly<{
  path: string;
  shift: number;
  moved: string;
  paintMs: number;
  /** What the content security policy forbade. */
  forbidden: readonly string[];
}>;

/** Runs in the page, before anything of it. */
const observe = (): void => {
  const found = { shift: 0, paintMs: 0, worst: 0, moved: '' };
  Object.assign(window, { measured: found });
  type Shift = PerformanceEntry & {
    value: number;
    hadRecentInput: boolean;
    sources: readonly { node: Node | null }[];
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      if (entry.hadRecentInput) continue;
      found.shift += entry.value;
      if (entry.value <= found.worst) continue;
      found.worst = entry.value;
      const node = entry.sources[0]?.node;
      found.moved = node instanceof Element ? node.outerHTML.slice(0, 80) : String(node?.nodeName);
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    found.paintMs = list.getEntries().at(-1)?.startTime ?? found.paintMs;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
};

const lineOf = ({ path, shift, paintMs, moved }: Measured): string => {
  const facts = [shift.toFixed(3), `${Math.round(paintMs)} ms`.padStart(8), path];
  return [...facts, shift > 0.01 ? moved : ''].join('  ');
};

/** The report takes every section of the settings as well. */
const timeout = isReport ? 600_000 : 120_000;

withBrowser('pages that are loaded (needs a Chromium)', () => {
  let site: ConsoleSite;
  let browser: Browser;

  beforeAll(async () => {
    site = await startConsoleSite(24);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });

  const measure = async (context: BrowserContext, { path }: Screen): Promise<Measured> => {
    const forbidden = await watchPolicy(context);
    const page = await context.newPage();
    await page.addInitScript(observe);
    await visit(page, site.product.url + path);
    await settled(page);
    // What is drawn once there is nothing else to do.
    await page.evaluate(
      () => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done))),
    );
    const found = await page.evaluate(
      () => (window as unknown as { measured: Omit<Measured, 'path' | 'forbidden'> }).measured,
    );
    await page.close();
    return { ...found, path, forbidden };
  };

  /** Every page in turn, each in an empty browser of the user who sees it. */
  const measureAll = async (size: Look['size']): Promise<readonly Measured[]> => {
    const look = { theme: 'light', language: 'en', size } as const;
    const own = await openLook(browser, look);
    await signIn(await own.newPage(), site.product.url);
    const signedIn = await own.storageState();
    await own.close();
    const found: Measured[] = [];
    for (const screen of measured) {
      const empty = await openLook(browser, look, screen.by === 'root' ? signedIn : undefined);
      found.push(await measure(empty, screen));
      await empty.close();
    }
    return found;
  };

  test.each(['desktop', 'phone'] as const)(
    'nothing on them moves, and they keep to their content security policy, on a %s',
    { timeout },
    async (size) => {
      const found = await measureAll(size);
      const slowest = Math.max(...found.map(({ paintMs }) => paintMs));
      const table = [...found].sort((a, b) => b.shift - a.shift).map(lineOf);
      console.log(
        `${size}: shift and largest paint, the slowest ${Math.round(slowest)} ms\n${table.join('\n')}`,
      );
      expect(found.filter(({ shift }) => shift >= maxShift).map(lineOf)).toEqual([]);
      expect(found.flatMap(({ forbidden }) => forbidden)).toEqual([]);
    },
  );
});
