import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, aUser, cleanBrowser } from '../../../testing/render-console.tsx';
import { asJson, openSettings } from '../../../testing/setting-sections.ts';
import { ok, refused, type StubRoutes } from '../../../testing/stub-api.ts';

cleanBrowser();

const values: Readonly<Record<string, string>> = {
  ModelRatio: '{"gpt-4o":1.25}',
  ModelPrice: '{}',
  CompletionRatio: '{}',
  SMTPServer: 'mail.test',
  SMTPPort: '587',
  SMTPSSLEnabled: 'false',
  PasswordLoginEnabled: 'true',
  RegisterEnabled: 'true',
  QuotaPerUnit: '500000',
  RetryTimes: '0',
  EmailDomainWhitelist: 'a.com',
  ServerAddress: '',
  Price: '7.2',
  MinTopUp: '1',
  Notice: '',
  SystemName: 'Tollgate',
  SensitiveWords: '',
  AutomaticDisableKeywords: 'no credit',
  Chats: '[]',
  DisplayInCurrencyEnabled: 'true',
  'general_setting.releases_url': 'https://releases.test/latest',
};
const optionsOf = (changes: Readonly<Record<string, string>> = {}) =>
  ok(Object.entries({ ...values, ...changes }).map(([key, value]) => ({ key, value })));

const open = (at: string, routes: StubRoutes = {}, user = anAdmin) =>
  openSettings({ at, values, routes, user });

test('only what was changed is sent, plain options at once and switches after them', async () => {
  const { person, card, puts, retype } = await open('/setting?tab=system');
  const mail = await card('Mail (SMTP)');
  expect(mail.getByLabelText('Password')).toHaveProperty('value', '');
  await person.click(mail.getByLabelText('SSL'));
  await retype(mail.getByLabelText('Port'), '465');
  await person.click(mail.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(puts()).toEqual([
      { key: 'SMTPPort', value: '465' },
      { key: 'SMTPSSLEnabled', value: 'true' },
    ]),
  );
});

test('saving nothing is reported, and so is a save that half fails', async () => {
  const { person, card, retype } = await open('/setting?tab=system', {
    'PUT /api/option/': ({ body }: { body: unknown }) =>
      JSON.stringify(body).includes('SMTPPort') ? refused('that port is taken') : ok(),
  });
  const mail = await card('Mail (SMTP)');
  const save = () => person.click(mail.getByRole('button', { name: 'Save' }));
  await save();
  expect(await screen.findByText(/seem.*changed|nothing.*changed/i)).toBeTruthy();
  await retype(mail.getByLabelText('Port'), '465');
  await retype(mail.getByLabelText('Server'), 'post.test');
  await save();
  expect(await screen.findByText('Some settings were not saved, please try again')).toBeTruthy();
  expect(await screen.findByText('that port is taken')).toBeTruthy();
});

test('a person below administrator finds no settings', async () => {
  await open('/setting', {}, aUser);
  expect(await screen.findByText('No permission')).toBeTruthy();
  expect(screen.queryByRole('navigation', { name: 'Sections of the settings' })).toBeNull();
});

test('the general, drawing, log and dashboard cards hold their options', async () => {
  const { card } = await open('/setting', {}, { ...anAdmin, role: 10 });
  const general = await card('General');
  expect(general.getByLabelText('Top-up link')).toHaveProperty('disabled', true);
  for (const text of ['Units per', 'Retr', 'currency', 'API key', 'sidebar', 'Demo', 'Self-use']) {
    expect(general.getAllByLabelText(new RegExp(text, 'i')).length).toBeGreaterThan(0);
  }
  expect((await card('Drawing')).getAllByRole('checkbox')).toHaveLength(7);
  expect((await card('Log')).getAllByRole('checkbox')).toHaveLength(1);
  const dashboard = await card('Dashboard');
  const options = within(dashboard.getByRole('combobox')).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual(['Hour', 'Day', 'Week']);
  const names = ['Model ratios', 'Visual editor', 'Models without a price'];
  for (const name of names) expect(screen.getByRole('link', { name })).toBeTruthy();
});

test('a new value of a dollar is confirmed twice', async () => {
  const { person, card, puts, retype } = await open('/setting');
  const general = await card('General');
  await retype(general.getByLabelText('Units per dollar'), '1000');
  await person.click(general.getByRole('button', { name: 'Save' }));
  await person.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(puts()).toEqual([]);
  await person.click(general.getByRole('button', { name: 'Save' }));
  await person.click(await screen.findByRole('button', { name: 'OK' }));
  await waitFor(() => expect(puts()).toEqual([{ key: 'QuotaPerUnit', value: '1000' }]));
});

test('words are saved one a line, and switches are saved and read back', async () => {
  let saved = optionsOf();
  const { person, card, puts, retype } = await open('/setting', {
    'GET /api/option/': () => saved,
  });
  const words = await card('Blocked words');
  await retype(words.getByLabelText('Blocked words, one per line'), 'one\ntwo');
  await person.click(words.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(puts()).toEqual([{ key: 'SensitiveWords', value: 'one\ntwo' }]));
  saved = optionsOf({ DrawingEnabled: 'true' });
  const drawing = await card('Drawing');
  await person.click(drawing.getAllByRole('checkbox')[0] as HTMLElement);
  await person.click(drawing.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(drawing.getAllByRole('checkbox')[0]).toHaveProperty('checked', true));
});

test('words that disable a channel are saved one a line', async () => {
  const { person, card, puts, retype } = await open('/setting');
  const monitoring = await card('Monitoring');
  const words = monitoring.getByLabelText('Keywords that disable a channel, one per line');
  await retype(words, 'no credit\nkey revoked');
  await person.click(monitoring.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(puts()).toEqual([{ key: 'AutomaticDisableKeywords', value: 'no credit\nkey revoked' }]),
  );
});

test('old entries of the log are cleared after a question, up to a chosen time', async () => {
  const { person, calls, card } = await open('/setting', { 'DELETE /api/log/': ok(12) });
  const log = await card('Log');
  const before = log.getByLabelText('Entries before');
  await person.clear(before);
  await person.click(log.getByRole('button', { name: 'Clear old entries' }));
  expect(await screen.findByText('Please choose a time!')).toBeTruthy();
  await person.type(before, '2026-01-02T03:04');
  await person.click(log.getByRole('button', { name: 'Clear old entries' }));
  await person.click(await screen.findByRole('button', { name: 'OK' }));
  expect(await screen.findByText('Log entries cleared: 12')).toBeTruthy();
  const sent = calls.find(({ method }) => method === 'DELETE');
  expect(sent?.query.get('target_timestamp')).toBe(
    String(new Date('2026-01-02T03:04').getTime() / 1000),
  );
});

test('ratios go back to what they were built with only after a question', async () => {
  const { person, calls, card, retype } = await open('/setting', {
    'POST /api/option/rest_model_ratio': ok(),
  });
  const ratios = await card('Model ratios');
  await person.click(ratios.getByRole('tab', { name: 'Model ratio' }));
  await retype(await asJson(person, ratios, 'Model ratio'), '{}');
  await person.click(ratios.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(calls.map(({ body }) => body)).toContainEqual({ key: 'ModelRatio', value: '{}' }),
  );
  await person.click(ratios.getByRole('button', { name: /Reset/ }));
  await person.click(await screen.findByRole('button', { name: 'OK' }));
  await waitFor(() => expect(calls.some(({ path }) => path.endsWith('ratio'))).toBe(true));
});

/** By tab and card: the label as it is shown, and the option of the switch. */
const switches: Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
> = {
  models: {
    'All models': {
      'Pass requests through untouched': 'global.pass_through_request_enabled',
      'Keep connections alive (no retry once started)': 'general_setting.ping_interval_enabled',
      'Keep reading the provider after a client disconnects':
        'general_setting.drain_after_disconnect',
    },
    Gemini: { 'Thinking by suffix': 'gemini.thinking_adapter_enabled' },
    Claude: { 'Thinking by suffix': 'claude.thinking_adapter_enabled' },
  },
  operation: {
    Monitoring: {
      'Disable a failing channel': 'AutomaticDisableChannelEnabled',
      'Enable a channel that works again': 'AutomaticEnableChannelEnabled',
    },
    'Blocked words': {
      'In prompts': 'CheckSensitiveOnPromptEnabled',
      'In answers': 'CheckSensitiveOnCompletionEnabled',
    },
    Log: { 'Log calls': 'LogConsumeEnabled' },
  },
};

test.each(Object.entries(switches))(
  'each switch of tab %s sets its own option',
  async (tab, cards) => {
    const { person, card, puts } = await open(`/setting?tab=${tab}`);
    for (const [name, keys] of Object.entries(cards)) {
      const fields = await card(name);
      for (const [label, key] of Object.entries(keys)) {
        const before = puts().length;
        await person.click(fields.getByLabelText(label));
        await person.click(fields.getByRole('button', { name: 'Save' }));
        await waitFor(() => expect(puts().slice(before)).toEqual([{ key, value: 'true' }]));
        // The list was read again: the switch shows the server's value.
        await waitFor(() => expect(fields.getByLabelText(label)).toHaveProperty('checked', false));
      }
    }
  },
);

test.each([
  ['Server', 'Address of this site', 'http://127.0.0.1:4300x', /Enter a web address/],
  ['Mail (SMTP)', 'Server', 'https://smtp.example.com', /host name.*without a scheme or a port/],
])('in %s an address that is none is refused at its field', async (title, field, text, problem) => {
  const { person, card, puts, retype } = await open('/setting?tab=system');
  const form = await card(title);
  await retype(form.getByLabelText(field), text);
  await person.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText(problem)).toBeTruthy();
  expect(puts()).toEqual([]);
});

test('a setting in quota units shows its value, while it is typed', async () => {
  const { card, retype } = await open('/setting?tab=operation', {
    'GET /api/option/': optionsOf({ QuotaForNewUser: '750000' }),
  });
  const quota = await card('Quota');
  expect(quota.getByText('$1.50 · Quota units, granted at registration.')).toBeTruthy();
  await retype(quota.getByLabelText('Quota of a new user'), '1234');
  expect(quota.getByText('$0.002468 · Quota units, granted at registration.')).toBeTruthy();
});
