import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';
import type { JobRow } from '../api/jobs.ts';

cleanBrowser();

const run = {
  run_id: 'a',
  started_at: 1_767_225_600,
  asked_by: null,
  duration_ms: 2_340,
  outcome: 'done',
  figures: { tested: 12, failed: 1 },
  error: '',
} as const;
const job: JobRow = {
  name: 'channel-test',
  every_seconds: 3_600,
  next_at: 1_767_229_200,
  running: null,
  runs: [run],
};

test('each job shows its pace, its last run and the result', async () => {
  stubApi({ 'GET /api/jobs': ok([job]) });
  await renderConsole({ at: '/jobs', user: anAdmin });
  expect(await screen.findByText('Test all channels')).toBeTruthy();
  expect(screen.getByText('2.3 s')).toBeTruthy();
  expect(screen.getByText('tested 12 · failed 1')).toBeTruthy();
  expect(screen.getByText(/every 1 h/)).toBeTruthy();
});

test('a failed run shows why, and a job of a newer server has its own name', async () => {
  const failed = { ...run, outcome: 'failed', figures: {}, error: 'Error: away' } as const;
  stubApi({ 'GET /api/jobs': ok([{ ...job, name: 'tidy-up', runs: [failed] }]) });
  await renderConsole({ at: '/jobs', user: anAdmin });
  expect(await screen.findByText('Error: away')).toBeTruthy();
  expect(screen.getAllByText('tidy-up').length).toBeGreaterThan(0);
});

test('a job starts manually, and not twice while it runs', async () => {
  const running = { run_id: 'b', started_at: 1_767_225_600, asked_by: 1 };
  const { calls } = stubApi({
    'GET /api/jobs': ok([job, { ...job, name: 'version-check', running }]),
    'POST /api/jobs/channel-test/run': ok(),
  });
  const { person } = await renderConsole({ at: '/jobs', user: anAdmin });
  const [first, second] = await screen.findAllByRole('button', { name: 'Run now' });
  if (!first || !second) throw new Error('a button is missing');
  expect(second.hasAttribute('disabled')).toBe(true);
  await person.click(first);
  expect(calls.some(({ path }) => path === '/api/jobs/channel-test/run')).toBe(true);
});

test('the runs before the last one are behind the row', async () => {
  const older = { ...run, run_id: 'z', asked_by: 7, figures: { tested: 3 } };
  stubApi({ 'GET /api/jobs': ok([{ ...job, runs: [run, older] }]) });
  const { person } = await renderConsole({ at: '/jobs', user: anAdmin });
  await screen.findByText('Test all channels');
  const [toggle] = screen.getAllByRole('button', { expanded: false, name: /details|expand/i });
  if (!toggle) throw new Error('the row does not open');
  await person.click(toggle);
  const history = await screen.findByRole('table', { name: 'Runs of channel-test' });
  expect(within(history).getByText('user #7')).toBeTruthy();
});

test('an ordinary user is informed that the page is not theirs', async () => {
  const { calls } = stubApi({});
  await renderConsole({ at: '/jobs', user: aUser });
  expect(await screen.findByText('No permission')).toBeTruthy();
  expect(calls.some(({ path }) => path === '/api/jobs')).toBe(false);
});
