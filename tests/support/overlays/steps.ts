import type { Locator, Page } from 'playwright-core';
import { texts as en } from '../../../console/locales/en/index.ts';
import { texts as zh } from '../../../console/locales/zh/index.ts';
import type { Look } from '../console-pages.ts';

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The text of `namespace:key` in a language, with any values in its places. */
const pattern = (language: Look['language'], key: string, how: 'whole' | 'begins' = 'whole') => {
  const [space = '', ...rest] = key.split(':');
  const text = ((language === 'en' ? en : zh) as Texts)[space]?.[rest.join(':')];
  if (text === undefined) throw new Error(`no text ${key}`);
  const source = text
    .split(/\{\{\w+\}\}/)
    .map(escaped)
    .join('.*');
  return new RegExp(how === 'whole' ? `^${source}$` : `^${source}`);
};

/** One act of a user, in whatever language the page is. */
export type Step = (page: Page, language: Look['language']) => Promise<unknown>;

const click = async (target: Locator) => {
  await target.waitFor();
  await target.click();
};
/** What is open lies over the rest: the last one is meant. */
const press =
  (role: 'button' | 'menuitem' | 'link' | 'checkbox', at: number) =>
  (key: string): Step =>
  (page, language) =>
    click(page.getByRole(role, { name: pattern(language, key) }).nth(at));

export const button = press('button', 0);
export const lastButton = press('button', -1);
export const item = press('menuitem', 0);

export const css =
  (selector: string): Step =>
  (page) =>
    click(page.locator(selector).first());

/** The menu of the first row, or of the row with this text. */
export const rowMenu =
  (rowText = ''): Step =>
  (page, language) =>
    click(
      page
        .locator('tr[data-row], tbody tr')
        .filter({ hasText: rowText })
        .getByRole('button', { name: pattern(language, 'common:actions-of') })
        .first(),
    );

/** The label takes the click. */
export const selectRow =
  (rowText = ''): Step =>
  async (page, language) => {
    const row = page.locator('tr[data-row]').filter({ hasText: rowText }).first();
    const box = row.getByRole('checkbox', { name: pattern(language, 'common:select-row') });
    await click(box.locator('..'));
  };

/** By its key, as the button is for wide screens alone. */
export const openRow: Step = async (page) => {
  const row = page.locator('tr[data-row]').first();
  await row.waitFor();
  await row.focus();
  await page.keyboard.press('Enter');
};

export const fill =
  (key: string, value: string): Step =>
  (page, language) =>
    page
      .getByLabel(pattern(language, key, 'begins'))
      .last()
      .fill(value);

export const fillField =
  (selector: string, value: string): Step =>
  (page) =>
    page.locator(selector).last().fill(value);

/** From here on calls of the page are answered like this, without the server. */
export const answer =
  (path: string, body: object, status = 200): Step =>
  (page) =>
    page.route(path, (route) => route.fulfill({ status, json: body }));

export const key =
  (name: string): Step =>
  (page) =>
    page.keyboard.press(name);

/** From here on the data that the server answers hold these values as well. */
export const amend =
  (path: string, changes: object): Step =>
  async (page) => {
    await page.route(path, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: object };
      await route.fulfill({ response, json: { ...body, data: { ...body.data, ...changes } } });
    });
    await page.reload();
  };
