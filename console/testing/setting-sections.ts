import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { anAdmin, renderConsole } from './render-console.tsx';
import { ok, type StubRoutes, stubApi } from './stub-api.ts';

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

type OpenPlan = Readonly<{
  at: string;
  /** Options as the server has them. */
  values: Readonly<Record<string, string>>;
  routes?: StubRoutes;
  user?: typeof anAdmin;
}>;

/** The settings of a site with these options. */
export const openSettings = async ({ at, values, routes = {}, user = anAdmin }: OpenPlan) => {
  const { calls } = stubApi({
    'GET /api/option/': ok(Object.entries(values).map(([key, value]) => ({ key, value }))),
    'PUT /api/option/': ok(),
    ...routes,
  });
  const { person } = await renderConsole({ at, user });
  const card = (name: string) => openSection(person, name);
  const puts = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  const retype = async (field: HTMLElement, text: string) => {
    await person.clear(field);
    await person.click(field);
    await person.paste(text);
  };
  return { calls, person, card, puts, retype };
};
