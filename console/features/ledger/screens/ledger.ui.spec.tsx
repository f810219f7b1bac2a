import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openedDrawer } from '../../../testing/list-controls.ts';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const charge = {
  id: '902311',
  at: 1_700_000_000,
  kind: 'RequestCharged',
  delta: -225,
  balance_after: 9_999_775,
  request_id: 'r-1',
  token_id: 3,
  token_name: 'web',
  model_name: 'gpt-4o-mini',
  channel: 0,
  reason_kind: null,
  reason: '',
  reference: '',
  actor: { kind: 'relay', id: '', name: '' },
  price: {
    quote: {
      kind: 'ratio',
      model: 'gpt-4o-mini',
      modelRatio: '0.075',
      completionRatio: '4',
      cacheRatio: '0.5',
      cacheCreationRatio: '1.25',
      groupRatio: '1',
    },
    usage: { promptTokens: 1504, completionTokens: 412, cachedTokens: 300, cacheCreationTokens: 0 },
    amount: 225,
    steps: [
      { label: 'prompt', quantity: 1204, ratio: '0.075', units: '90.3' },
      {
        label: 'completion',
        quantity: 412,
        ratio: '0.3',
        factors: [
          { label: 'completion-ratio', value: '4' },
          { label: 'model-ratio', value: '0.075' },
        ],
        units: '123.6',
      },
    ],
  },
};
const ledger = ok({
  items: [charge],
  page: 1,
  page_size: 10,
  total: 1,
  as_of: null,
  balance: 9_999_775,
  used: 225,
});

test('a charge shows its change in money, to the unit on hover', async () => {
  stubApi({ 'GET /api/ledger/self': ledger });
  await renderConsole({ at: '/ledger', user: aUser });
  expect((await screen.findByText('-$0.00045')).title).toBe('-225 units, -$0.00045');
  expect(screen.getByText('$19.99955').title).toBe('9,999,775 units, $19.99955');
  expect(screen.getByText('9,999,775 units')).toBeTruthy();
});

test('a charge opens to its price, step by step', async () => {
  stubApi({ 'GET /api/ledger/self': ledger });
  const { person } = await renderConsole({ at: '/ledger', user: aUser });
  await person.click(await screen.findByRole('button', { name: 'Show details' }));
  const drawer = await openedDrawer('Charge');
  expect(drawer.getByText('90.3')).toBeTruthy();
  expect(drawer.getByText('123.6')).toBeTruthy();
  expect(drawer.getByText('completion 4 × model 0.075')).toBeTruthy();
  expect(drawer.getByText('Charged')).toBeTruthy();
  const call = drawer.getByRole('link', { name: 'Show the call in the usage log' });
  expect(call.getAttribute('href')).toContain('model_name=gpt-4o-mini');
});

test('the kind of movement is part of the address', async () => {
  const { calls } = stubApi({ 'GET /api/ledger/self': ledger });
  const { person } = await renderConsole({ at: '/ledger?p=2', user: aUser });
  await person.selectOptions(await screen.findByLabelText('Movement'), 'Refund');
  await waitFor(() => expect(window.location.search).toBe('?kind=RequestRefunded'));
  await waitFor(() =>
    expect(calls.some(({ query }) => query.get('kind') === 'RequestRefunded')).toBe(true),
  );
});

test('an administrator opens the ledger of another account', async () => {
  const { calls } = stubApi({
    'GET /api/ledger/7': ledger,
    'GET /api/user/7': ok({ username: 'ada' }),
  });
  await renderConsole({ at: '/ledger/7', user: anAdmin });
  expect(await screen.findByRole('heading', { name: 'Ledger of ada' })).toBeTruthy();
  expect(calls.some(({ path }) => path === '/api/ledger/7')).toBe(true);
});

test('the account as of an instant is part of the address and requested from the server', async () => {
  const { calls } = stubApi({ 'GET /api/ledger/self': ledger });
  const { person } = await renderConsole({ at: '/ledger?as_of=1700000100', user: aUser });
  expect(await screen.findByText(/^The account as of 2023-11-1/)).toBeTruthy();
  expect(calls.some(({ query }) => query.get('as_of') === '1700000100')).toBe(true);
  await person.click(screen.getByRole('button', { name: 'Back to now' }));
  await waitFor(() => expect(window.location.search).toBe(''));
});

test('charges are re-priced without writing, and the difference is posted with a reason', async () => {
  const { calls } = stubApi({
    'GET /api/ledger/7': ledger,
    'GET /api/user/7': ok({ username: 'ada' }),
    'POST /api/audit/reprice': ok({
      items: [
        {
          event_id: 'e-1',
          request_id: 'r-1',
          model_name: 'gpt-4o-mini',
          old_amount: 225,
          new_amount: 100,
          difference: 125,
          steps: [],
        },
      ],
      old_amount: 225,
      new_amount: 100,
      difference: 125,
      unknown: [],
    }),
    'POST /api/audit/correction': ok({ balance: 9_999_900 }),
  });
  const { person } = await renderConsole({ at: '/ledger/7', user: anAdmin });
  await person.click(await screen.findByRole('checkbox', { name: 'Select this row' }));
  await person.click(screen.getByRole('button', { name: 'Re-price' }));
  await person.type(await screen.findByLabelText('Model ratio'), '0.03');
  await person.click(screen.getByRole('button', { name: 'Dry run' }));
  expect(await screen.findAllByText('+$0.00025')).toHaveLength(2);
  expect(calls.some(({ path }) => path === '/api/audit/correction')).toBe(false);
  await person.type(screen.getByLabelText(/^Reason/), 'wrong ratio');
  await person.click(screen.getByRole('button', { name: 'Review correction' }));
  const question = within(await screen.findByRole('dialog', { name: 'Post this correction?' }));
  expect(question.getByText('Balance before').nextSibling?.textContent).toBe('$19.99955');
  expect(question.getByText('Change').nextSibling?.textContent).toBe('+$0.00025');
  expect(question.getByText('Balance after').nextSibling?.textContent).toBe('$19.9998');
  expect(calls.some(({ path }) => path === '/api/audit/correction')).toBe(false);
  await person.click(question.getByRole('button', { name: 'Post correction' }));
  const posted = () => calls.find(({ path }) => path === '/api/audit/correction');
  await waitFor(() => expect(posted()).toBeTruthy());
  expect(posted()?.body).toEqual({
    user_id: 7,
    delta: 125,
    corrects: ['r-1'],
    reason: 'wrong ratio',
    reference: '',
  });
  expect(posted()?.headers.get('idempotency-key')).not.toBe('');
  const receipt = within(await screen.findByRole('dialog', { name: 'Correction posted' }));
  expect(receipt.getByText('Balance after').nextSibling?.textContent).toBe('$19.9998');
  const link = receipt.getByRole('link', { name: 'Show in the ledger' });
  expect(link.getAttribute('href')).toBe('/ledger/7?kind=CorrectionPosted');
});

test('an adjustment shows the reason that was typed, or that an administrator made it', async () => {
  const adjusted = (id: string, reason_kind: 'set-by-admin' | 'other', reason: string) => ({
    ...charge,
    id,
    kind: 'QuotaAdjusted',
    delta: 500,
    model_name: '',
    token_name: '',
    price: null,
    actor: { kind: 'admin', id: '', name: '' },
    reason_kind,
    reason,
  });
  const items = [
    adjusted('3', 'set-by-admin', 'an apology'),
    adjusted('2', 'set-by-admin', ''),
    adjusted('1', 'other', 'topup'),
  ];
  const page = { items, page: 1, page_size: 10, total: 3, balance: 1500, used: 0 };
  stubApi({ 'GET /api/ledger/self': ok(page) });
  await renderConsole({ at: '/ledger', user: aUser });
  expect(await screen.findByText('Adjusted by an administrator: an apology')).toBeTruthy();
  expect(screen.getByText('Adjusted by an administrator')).toBeTruthy();
  expect(screen.getByText('topup')).toBeTruthy();
});

test('credits and debits are in separate columns', async () => {
  const grant = { ...charge, id: '1', kind: 'QuotaGranted', delta: 500_000, price: null };
  const page = { items: [charge, grant], page: 1, page_size: 10, total: 2, balance: 1, used: 0 };
  stubApi({ 'GET /api/ledger/self': ok(page) });
  await renderConsole({ at: '/ledger', user: aUser });
  const columnOf = (text: string) => screen.getByText(text).closest('td')?.dataset.label;
  await screen.findByText('+$1.00000');
  expect(columnOf('+$1.00000')).toBe('In');
  expect(columnOf('-$0.00045')).toBe('Out');
});
