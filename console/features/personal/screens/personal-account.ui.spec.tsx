import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readLocal } from '../../../shared/local-values.ts';
import { aSelf } from '../../../testing/account-examples.ts';
import { expectRefusal } from '../../../testing/form-refusal.ts';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, refused, type StubRoutes, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const open = async (routes: StubRoutes = {}) => {
  const { calls } = stubApi({
    'GET /api/user/self': ok(aSelf),
    'GET /api/user/models': ok([]),
    'GET /api/user/aff': ok('x9Kz'),
    ...routes,
  });
  const { person } = await renderConsole({ at: '/personal', user: aUser });
  await screen.findByText('Balance');
  const put = () => calls.find(({ method }) => method === 'PUT');
  return { calls, person, put };
};

test('the person sees what is left, what is spent, and how often they called', async () => {
  await open();
  const figure = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
  expect(figure('Balance')).toMatch(/1\.50/);
  expect(figure('Used')).toMatch(/0\.50/);
  expect(figure('Requests')).toBe('12');
  expect(figure('Rewards to use')).toMatch(/1\.20/);
  expect(figure('Rewards in all')).toMatch(/1\.80/);
  expect(figure('People invited')).toBe('3');
});

test('ten models are shown, the others on demand, and that is kept', async () => {
  const names = Array.from({ length: 12 }, (_, nth) => `model-${String(nth).padStart(2, '0')}`);
  const { person } = await open({ 'GET /api/user/models': ok(names) });
  await screen.findByRole('button', { name: 'model-00' });
  expect(screen.queryByRole('button', { name: 'model-11' })).toBeNull();
  await person.click(screen.getByRole('button', { name: '2 more' }));
  expect(screen.getByRole('button', { name: 'model-11' })).toBeTruthy();
  expect(readLocal('modelsExpanded')).toBe('true');
  await person.click(screen.getByRole('button', { name: 'Fold' }));
  expect(screen.queryByRole('button', { name: 'model-11' })).toBeNull();
});

test('rewards go to the balance from one unit of quota upwards, and the figures follow', async () => {
  let user = aSelf;
  const { calls, person } = await open({
    'GET /api/user/self': () => ok(user),
    'POST /api/user/aff_transfer': () => {
      user = { ...aSelf, quota: 1_250_000, aff_quota: 100_000 };
      return ok();
    },
  });
  await person.click(screen.getByRole('button', { name: 'Transfer' }));
  const dialog = within(await screen.findByRole('dialog'));
  const amount = dialog.getByLabelText('Quota units');
  await person.clear(amount);
  await person.type(amount, '499999');
  await person.click(dialog.getByRole('button', { name: 'Transfer' }));
  expect(await screen.findByText(/The least to transfer is/)).toBeTruthy();
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  await person.clear(amount);
  await person.type(amount, '500000');
  await person.click(dialog.getByRole('button', { name: 'Transfer' }));
  await waitFor(() =>
    expect(screen.getByText('Balance').nextElementSibling?.textContent).toMatch(/2\.50/),
  );
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ quota: 500_000 });
});

test('a refused transfer is reported at the amount, which is kept', async () => {
  const { person } = await open({
    'POST /api/user/aff_transfer': refused('Not enough earnings', 'account.reward-exhausted'),
  });
  await person.click(screen.getByRole('button', { name: 'Transfer' }));
  const dialog = within(await screen.findByRole('dialog'));
  const amount = dialog.getByLabelText('Quota units');
  await person.clear(amount);
  await person.type(amount, '900000');
  await person.click(dialog.getByRole('button', { name: 'Transfer' }));
  await expectRefusal(amount, 'Not enough earnings');
  expect(amount).toHaveProperty('value', '900000');
});

test('a refused address for notices is reported at its field', async () => {
  const { person } = await open({
    'PUT /api/user/setting': refused('Not an address', 'user.email-invalid'),
  });
  const field = screen.getByLabelText('Email address');
  await person.type(field, 'ada@');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await expectRefusal(field, 'Not an address');
});

test('the invitation link and a new system token are copied', async () => {
  let issued = 0;
  const { person } = await open({
    'GET /api/user/token': () => {
      issued += 1;
      return ok(`token-${issued}`);
    },
  });
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLInputElement>('Invitation link').value).toContain('x9Kz'),
  );
  await person.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toContain('/register?aff=x9Kz');
  for (const token of ['token-1', 'token-2']) {
    await person.click(screen.getByRole('button', { name: 'Generate access token' }));
    const question = within(await screen.findByRole('alertdialog'));
    await person.click(question.getByRole('button', { name: 'OK' }));
    await screen.findByDisplayValue(token);
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(token));
  }
});

const password = async (
  person: Awaited<ReturnType<typeof open>>['person'],
  [original, next, again]: readonly [string, string, string],
) => {
  const typed = {
    'Current password': original,
    'New password': next,
    'Confirm new password': again,
  };
  for (const [label, text] of Object.entries(typed)) {
    if (text !== '') await person.type(screen.getByLabelText(label), text);
  }
  await person.click(screen.getByRole('button', { name: 'Change password' }));
};

test.each([
  ['the old one is missing', ['', 'new horse', 'new horse'], 'enter your current password'],
  ['the new one is missing', ['old horse', '', ''], 'enter a new password'],
  ['the new one is the old one', ['old horse', 'old horse', 'old horse'], 'must differ'],
  ['it is not confirmed', ['old horse', 'new horse', ''], 'The two passwords differ'],
  ['it is confirmed wrongly', ['old horse', 'new horse', 'other'], 'The two passwords differ'],
] as const)('a new password is not sent when %s', async (_, typed, reason) => {
  const { person, put } = await open();
  await password(person, typed);
  expect(await screen.findByText(new RegExp(reason))).toBeTruthy();
  expect(put()).toBeUndefined();
});

test('a new password goes with the old one, whose refusal is shown', async () => {
  const { person, put } = await open({
    'PUT /api/user/self': refused('The original password is wrong'),
  });
  await password(person, ['old horse', 'new horse', 'new horse']);
  expect(await screen.findByText('The original password is wrong')).toBeTruthy();
  expect(put()?.body).toEqual({ original_password: 'old horse', password: 'new horse' });
});

test('notifications go by mail or to a webhook, and are saved as a whole', async () => {
  const { person, put } = await open({ 'PUT /api/user/setting': ok() });
  const threshold = screen.getByLabelText<HTMLInputElement>('Warn below, in units');
  expect(screen.getByLabelText('Email address')).toBeTruthy();
  for (const [name, units] of [
    ['100000 (0.2$)', '100000'],
    ['500000 (1$)', '500000'],
    ['1000000 (5$)', '1000000'],
    ['5000000 (10$)', '5000000'],
  ] as const) {
    await person.click(screen.getByRole('button', { name }));
    expect(threshold.value).toBe(units);
  }
  await person.click(screen.getByLabelText('By webhook'));
  await person.type(screen.getByLabelText('Webhook address'), 'https://hook.test/a');
  await person.type(screen.getByLabelText('Secret'), 'hush');
  expect(screen.getByText(/sent by POST/)).toBeTruthy();
  expect(screen.getByText(/Sent as Bearer/)).toBeTruthy();
  await person.click(screen.getByLabelText(/Accept models without a price/));
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(put()?.body).toEqual({
      notify_type: 'webhook',
      quota_warning_threshold: 5_000_000,
      webhook_url: 'https://hook.test/a',
      webhook_secret: 'hush',
      notification_email: '',
      accept_unset_model_ratio_model: true,
    }),
  );
});

test('who saved no threshold sees the one that the server warns at', async () => {
  await open({
    'GET /api/user/self': ok({ ...aSelf, setting: '', quota_remind_threshold: 4_200 }),
  });
  const threshold = screen.getByLabelText<HTMLInputElement>('Warn below, in units');
  expect(threshold.value).toBe('4200');
  expect(screen.getByText(/the site’s own threshold holds until you save yours/)).toBeTruthy();
});

test('what was saved is shown again', async () => {
  const setting = JSON.stringify({
    notify_type: 'webhook',
    quota_warning_threshold: 7_000,
    webhook_url: 'https://hook.test/b',
    webhook_secret_set: true,
    notification_email: '',
    accept_unset_model_ratio_model: true,
  });
  await open({ 'GET /api/user/self': ok({ ...aSelf, setting }) });
  expect(screen.getByLabelText<HTMLInputElement>('Warn below, in units').value).toBe('7000');
  expect(screen.queryByText(/the site’s own threshold/)).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Webhook address').value).toBe(
    'https://hook.test/b',
  );
  expect(screen.getByLabelText<HTMLInputElement>(/Accept models/).checked).toBe(true);
});
