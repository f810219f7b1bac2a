import type { Browser, BrowserContext, Page } from 'playwright-core';
import { addressOf, sections } from '../../console/features/setting/components/sections.ts';
import { paths } from '../../console/shared/paths.ts';
import { rootUser } from './console-client.ts';

/** Who is at the browser: what a visitor sees differs from what the super admin sees. */
export type Screen = Readonly<{ path: string; by: 'visitor' | 'root' }>;

const visitors: readonly string[] = [
  paths.login,
  paths.register,
  paths.reset,
  `${paths.userReset}?email=ada%40example.org&token=t`,
  paths.pricing,
  paths.about,
  paths.home,
  '/no-such-page',
];
/** Those that end at once somewhere else. */
const passages: readonly string[] = [
  paths.setup,
  paths.oauthGitHub,
  paths.oauthOidc,
  paths.oauthLinuxDo,
  paths.chatRedirect,
];
/** Every address of the console once. */
export const routes: readonly Screen[] = [
  ...visitors.map((path): Screen => ({ path, by: 'visitor' })),
  ...Object.values(paths)
    .filter((path) => !passages.includes(path) && path !== paths.userReset)
    .filter((path) => !visitors.includes(path))
    .map((path): Screen => ({ path, by: 'root' })),
];

/** The same, and each section of the settings but the first, which opens by itself. */
export const screens: readonly Screen[] = [
  ...routes,
  ...sections.slice(1).map((section): Screen => ({ path: addressOf(section), by: 'root' })),
];

export const nameOf = (path: string): string =>
  path === '/' ? 'home' : path.slice(1).replaceAll(/[^\w-]+/g, '-');

export type Look = Readonly<{
  theme: 'light' | 'dark';
  language: 'zh' | 'en';
  size: 'desktop' | 'phone';
  /** The machine's own by default. */
  timezoneId?: string;
}>;
const viewports = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 375, height: 760 },
} as const;

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** A separate browser; `storageState` is what it keeps from another one. */
export const openLook = async (
  browser: Browser,
  look: Look,
  storageState?: StorageState,
): Promise<BrowserContext> => {
  const context = await browser.newContext({
    viewport: viewports[look.size],
    ...(look.size === 'phone' && { hasTouch: true }),
    ...(look.timezoneId !== undefined && { timezoneId: look.timezoneId }),
    ...(storageState !== undefined && { storageState }),
  });
  await context.addInitScript(
    ([theme, language]) => {
      localStorage.setItem('theme-mode', theme ?? '');
      localStorage.setItem('i18nextLng', language ?? '');
    },
    [look.theme, look.language],
  );
  return context;
};

/** Signs in through the form. */
export const signIn = async (
  page: Page,
  url: string,
  { username, password }: Readonly<{ username: string; password: string }> = rootUser,
): Promise<void> => {
  await page.goto(`${url}${paths.login}`);
  await page.locator('form input').first().fill(username);
  await page.locator('form input[type=password]').fill(password);
  await page.locator('form button[type=submit]').click();
  await page.waitForURL(`**${paths.token}`);
};

/**
 * Opens an address and waits until its content is shown. A quiet network is no criterion: the event
 * stream of a page never rests, and a site in a frame may never load.
 */
export const visit = async (page: Page, url: string): Promise<void> => {
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  await page.locator('main').first().waitFor();
  await page.waitForFunction(
    () => {
      const main = document.querySelector('main');
      const isBusy =
        document.querySelector('.bp6-skeleton, .bp6-spinner:not(.bp6-no-spin)') !== null;
      return !isBusy && (main?.textContent ?? '').trim() !== '';
    },
    undefined,
    { polling: 100 },
  );
};
