import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { rowAction } from '../../../testing/list-controls.ts';
import { aCodeRow } from '../../../testing/redemption-examples.ts';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const aCode = (id: number, changes: object = {}) => ({
  ...aCodeRow,
  id,
  key: `key-${id}`,
  name: `code-${id}`,
  ...changes,
});
const page = ok({
  items: [aCode(1), aCode(2, { status: 2 }), aCode(3, { status: 3, used_user_id: 7 })],
  page: 1,
  page_size: 10,
  total: 3,
});

test('codes are found, copied and deleted, and show who used them', async () => {
  const { calls } = stubApi({
    'GET /api/redemption/': page,
    'GET /api/redemption/search': page,
    'DELETE /api/redemption/1/': ok(),
    'DELETE /api/redemption/1': ok(),
  });
  const { person } = await renderConsole({ at: '/redemption', user: anAdmin });
  await screen.findByText('code-1');
  const row = (name: string) => within(screen.getByText(name).closest('tr') as HTMLElement);
  expect(row('code-1').getByText('no one')).toBeTruthy();
  expect(row('code-2').getByText('disabled')).toBeTruthy();
  expect(row('code-3').getByText('7')).toBeTruthy();
  await person.type(screen.getByLabelText('Keyword'), 'spring{Enter}');
  await waitFor(() =>
    expect(calls.some(({ query }) => query.get('keyword') === 'spring')).toBe(true),
  );
  const written: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => {
    written.push(text);
  });
  expect(screen.queryByRole('button', { name: 'Copy selected' })).toBeNull();
  await person.click(row('code-1').getByRole('checkbox'));
  await person.click(screen.getByRole('button', { name: 'Copy selected' }));
  expect(written).toEqual(['code-1    key-1']);
  const line = screen.getByText('code-1').closest('tr') as HTMLElement;
  await person.click(await rowAction(person, line, 'Delete'));
  await person.click(await screen.findByRole('button', { name: 'OK' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true));
});
