import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aChannelRow } from '../../../testing/channel-examples.ts';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const aChannel = (id: number, response_time: number) => ({
  ...aChannelRow,
  id,
  name: `channel-${id}`,
  test_time: 1,
  response_time,
});

/** Milliseconds on both sides of each limit. */
const bands = [
  [990, '0.99 s', 'green'],
  [1000, '1.00 s', 'green'],
  [1010, '1.01 s', 'lime'],
  [3000, '3.00 s', 'lime'],
  [3010, '3.01 s', 'yellow'],
  [5000, '5.00 s', 'yellow'],
  [5010, '5.01 s', 'red'],
] as const;

test('the colour of a response time changes at 1, 3 and 5 seconds', async () => {
  const rows = bands.map(([ms], at) => aChannel(at + 1, ms));
  stubApi({
    'GET /api/channel/': ok(rows),
    'GET /api/group/': ok(['default']),
    'GET /api/models': ok({}),
    'GET /api/channel/models': ok([]),
  });
  await renderConsole({ at: '/channel', user: anAdmin });
  for (const [, text, colour] of bands) {
    const tone = (await screen.findByText(text)).className;
    expect(tone, text).toContain(`tone-${colour}`);
  }
});
