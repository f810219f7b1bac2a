import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const report = {
  started_at: 1_700_000_000,
  finished_at: 1_700_000_004,
  head: '902311',
  events: 12_000,
  accounts: 3,
  rows: 900,
  requests: { charged: 500, failed: 7, abandoned: 2, open: 1 },
  leases: { opened: 40, closed: 38, alive: 2 },
  breaks: [],
  break_counts: {},
  notes: [],
};
const idle = { running: null, report: null, error: '' };

test('a clean ledger is reported, with what was counted', async () => {
  stubApi({ 'GET /api/verify': ok({ ...idle, report }) });
  await renderConsole({ at: '/verify', user: anAdmin });
  expect(await screen.findByText('The books add up to the unit')).toBeTruthy();
  expect(screen.getByText('500 charged, 7 failed, 2 abandoned, 1 open')).toBeTruthy();
});

test('breaks are listed by event id, and a kind narrows them', async () => {
  const broken = (kind: string, event_id: string) => ({
    kind,
    event_id,
    stream_id: 'account-7',
    position: '12',
    row: '',
    detail: `detail of ${event_id}`,
  });
  const found = {
    ...report,
    breaks: [broken('price-mismatch', 'e-1'), broken('charged-twice', 'e-2')],
    break_counts: { 'price-mismatch': 1, 'charged-twice': 1 },
  };
  stubApi({ 'GET /api/verify': ok({ ...idle, report: found }) });
  const { person } = await renderConsole({ at: '/verify', user: anAdmin });
  expect(await screen.findByText('Discrepancies found: 2')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: /Charged twice/ }));
  expect(screen.queryByText('detail of e-1')).toBeNull();
  expect(screen.getByText('detail of e-2')).toBeTruthy();
});

test('a run shows its progress by itself and then its report', async () => {
  let asked = 0;
  stubApi({
    'POST /api/verify': ok(),
    'GET /api/verify': () => {
      asked += 1;
      if (asked === 1) return ok(idle);
      const running = { started_at: 1, phase: 'log', events: 6000, share: 0.5 };
      return ok(asked === 2 ? { ...idle, running } : { ...idle, report });
    },
  });
  const { person } = await renderConsole({ at: '/verify', user: anAdmin });
  expect(await screen.findByText('Not verified yet')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Verify now' }));
  expect(await screen.findByText('50%, 6,000 events')).toBeTruthy();
  await waitFor(() => expect(screen.getByText('The books add up to the unit')).toBeTruthy());
});
