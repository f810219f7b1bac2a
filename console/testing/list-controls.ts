import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

/** Narrows a list as a user does: `+ Filter`, what to filter by, its value. */
export const addFilter = async (person: UserEvent, label: string, value: string) => {
  await person.click(await screen.findByRole('button', { name: 'Filter' }));
  await person.click(await screen.findByRole('menuitem', { name: label }));
  await person.type(await screen.findByLabelText(label), `${value}{Enter}`);
};

/** The same where the values are a menu. */
export const chooseFilter = async (person: UserEvent, label: string, choice: string) => {
  await person.click(await screen.findByRole('button', { name: 'Filter' }));
  await person.click(await screen.findByRole('menuitem', { name: label }));
  const option = await screen.findByRole('option', { name: choice });
  await person.click(within(option).getByText(choice));
};

export const choosePreset = async (person: UserEvent, preset: string) => {
  await person.click(await screen.findByRole('button', { name: /^Time range:/ }));
  await person.click(await screen.findByRole('menuitem', { name: preset }));
};

/** The drawer with every fact of a row. */
export const openedDrawer = async (title: string) =>
  within(await screen.findByRole('dialog', { name: title }));

/** One entry of the menu of a row. */
export const rowAction = async (person: UserEvent, row: HTMLElement, action: string) => {
  const opener = within(row).getByRole('button', { name: /^Actions for / });
  await person.click(opener);
  // The menu of another row may still be on its way out.
  const menu = await screen.findByRole('menu', { name: opener.getAttribute('aria-label') ?? '' });
  return within(menu).findByRole('menuitem', { name: action });
};
