import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { openSection } from '../../../testing/setting-sections.ts';
import { ok, type StubCall, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const row = (key: string, value: string, writer: 10 | 100, secret?: string) => ({
  key,
  value,
  writer,
  ...(secret === undefined ? {} : { secret }),
});
const rows = [
  row('SMTPServer', 'smtp.example.com', 100, 'SMTPToken'),
  row('SMTPPort', '587', 100, 'SMTPToken'),
  row('SMTPAccount', 'desk@example.com', 100, 'SMTPToken'),
  row('SMTPFrom', '', 100),
  row('SMTPSSLEnabled', 'true', 100, 'SMTPToken'),
  row('RegisterEnabled', 'true', 100),
  row('TopUpLink', 'https://shop.example', 100),
  row('RetryTimes', '0', 10),
  row('QuotaPerUnit', '500000', 10),
  row('Chats', '[{"Mine":"https://chat.example"}]', 100),
  row('Notice', '', 10),
];

const open = async (
  at: string,
  role: 10 | 100,
  answer: (call: StubCall) => unknown = () => ok(undefined),
) => {
  const { calls } = stubApi({ 'GET /api/option/': ok(rows), 'PUT /api/option/': answer });
  const { person } = await renderConsole({ at, user: { ...anAdmin, role } });
  const card = (name: string) => openSection(person, name);
  const puts = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  return { person, card, puts };
};
const isOff = (element: HTMLElement): boolean => element.matches(':disabled');

test('an administrator reads what belongs to the super admin, and is informed of it', async () => {
  const { card } = await open('/setting?tab=system', 10);
  const mail = await card('Mail (SMTP)');
  expect(mail.getByText(/Only the super administrator/)).toBeTruthy();
  expect(mail.getByLabelText('Server')).toHaveProperty('value', 'smtp.example.com');
  for (const name of ['Server', 'Port', 'Account', 'Password', 'SSL']) {
    expect([name, isOff(mail.getByLabelText(name))]).toEqual([name, true]);
  }
  expect(mail.queryByRole('button', { name: 'Save' })).toBeNull();
  const login = await card('Sign-in and registration');
  expect(isOff(login.getByLabelText('Sign-in by password'))).toBe(true);
  expect(login.getByText(/Only the super administrator/)).toBeTruthy();
});

test('a card of both kinds is saved but for what belongs to the super admin', async () => {
  const { person, card, puts } = await open('/setting', 10);
  const general = await card('General');
  expect(general.getByText(/greyed-out/)).toBeTruthy();
  expect(isOff(general.getByLabelText('Top-up link'))).toBe(true);
  const retries = general.getByLabelText('Retries after a failure');
  expect(isOff(retries)).toBe(false);
  await person.clear(retries);
  await person.type(retries, '2');
  await person.click(general.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(puts()).toEqual([{ key: 'RetryTimes', value: '2' }]));
  const chats = await card('Chat links');
  expect(chats.getAllByRole('textbox').every(isOff)).toBe(true);
  expect(isOff(chats.getByRole('button', { name: /Add/ }))).toBe(true);
});

test('another mail server requires the password again, and both are sent together', async () => {
  const { person, card, puts } = await open('/setting?tab=system', 100);
  const mail = await card('Mail (SMTP)');
  expect(mail.queryByText(/Only the super administrator/)).toBeNull();
  await person.clear(mail.getByLabelText('Server'));
  await person.type(mail.getByLabelText('Server'), 'mail.other.example');
  expect(mail.getByText(/Enter it again/)).toBeTruthy();
  await person.click(mail.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Please check what was entered')).toBeTruthy();
  expect(puts()).toEqual([]);
  await person.type(mail.getByLabelText('Password'), 'entered-again');
  await person.type(mail.getByLabelText('Reason (optional)'), 'moved to the new provider');
  await person.click(mail.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(puts()).toEqual([
      {
        key: 'SMTPServer',
        value: 'mail.other.example',
        secret: 'entered-again',
        reason: 'moved to the new provider',
      },
    ]),
  );
});

test('a secret that the server forgot is named', async () => {
  const forgets = () => ok({ secret_needed: 'SMTPToken' });
  const { person, card, puts } = await open('/setting?tab=system', 100, forgets);
  const mail = await card('Mail (SMTP)');
  await person.clear(mail.getByLabelText('Account'));
  await person.click(mail.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/SMTPToken was stored for another address/)).toBeTruthy();
  expect(puts()).toEqual([{ key: 'SMTPAccount', value: '' }]);
});
