import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

/** Opens a section of the settings by its link, and finds its form. */
export const openSection = async (person: UserEvent, name: string) => {
  const nav = within(await screen.findByRole('navigation', { name: 'Sections of the settings' }));
  await person.click(nav.getByRole('link', { name }));
  return within(await screen.findByRole('region', { name }));
};

type Card = Awaited<ReturnType<typeof openSection>>;

/** Shows an option that is a table as its JSON. */
export const asJson = async (person: UserEvent, card: Card, label: string) => {
  const group = card.getByText(label, { selector: '.bp6-label *' }).closest('.field');
  if (!(group instanceof HTMLElement)) throw new Error(`no field ${label}`);
  await person.click(within(group).getByRole('button', { name: 'Edit as JSON' }));
  return card.getByLabelText<HTMLTextAreaElement>(label, { selector: 'textarea' });
};
