import type { Page } from 'playwright-core';
import { type Look, visit } from '../console-pages.ts';
import type { Overlay } from './kinds.ts';

/** Nothing that ends is still moving, and the charts in sight are drawn. */
export const settled = async (page: Page): Promise<void> => {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getComputedTiming().iterations === Infinity,
      ),
  );
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.chart')].every(
      (chart) =>
        chart.getBoundingClientRect().top >= window.innerHeight ||
        chart.querySelector('svg') !== null,
    ),
  );
};

/** Goes to the page of an overlay, opens it as a user does, and waits until it is at rest. */
export const openOverlay = async (
  page: Page,
  site: Readonly<{ url: string; look: Look }>,
  { path, steps, shown }: Overlay,
): Promise<void> => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await visit(page, site.url + path);
  for (const step of steps) await step(page, site.look.language);
  await page.locator(shown).last().waitFor();
  await settled(page);
};
