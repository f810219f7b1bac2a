import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The Chromium that is installed here; null when there is none. */
export const chromiumPath: string | null =
  places.find((path) => path !== '' && existsSync(path)) ?? null;

if (chromiumPath === null && process.env.TOLLGATE_REQUIRE_BROWSER === '1') {
  throw new Error('a browser is required here, and no Chromium was found');
}

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? '',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });

/** A zone where it is the middle of the day now, so that no test runs over a midnight. */
export const middayZone = (now = new Date()): string => {
  const offset = 12 - now.getUTCHours();
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
};
