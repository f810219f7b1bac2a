import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

/** A line that says what the test says. */
const openLine = () => {
  let speak: (text: string) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      speak = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  return { response, speak: (text: string) => speak(text) };
};

const moved = (...names: readonly string[]) =>
  `event: moved\ndata: ${JSON.stringify({ read_models: names })}\n\n`;

const routes = {
  'GET /api/log/self/': ok({ items: [], page: 1, page_size: 10, total: 0 }),
  'GET /api/log/self/stat': ok({ quota: 0, rpm: 0, tpm: 0, token: 0 }),
};

test('the log asks anew when the server says that it moved; paused, it hangs up', async () => {
  const line = openLine();
  const waiting = [line, openLine()];
  const { calls } = stubApi({ ...routes, 'GET /api/live': () => waiting.shift()?.response });
  const { person } = await renderConsole({ at: '/log', user: aUser });
  const asked = () => calls.filter(({ path }) => path === '/api/log/self/').length;
  await waitFor(() => expect(asked()).toBe(1));
  line.speak(moved('channel-list'));
  line.speak(moved('usage-log'));
  await waitFor(() => expect(asked()).toBe(2));
  await person.click(screen.getByRole('button', { name: 'Pause updates' }));
  await person.click(screen.getByRole('button', { name: 'Resume updates' }));
  // It had hung up, so it calls again.
  await waitFor(() => expect(calls.filter(({ path }) => path === '/api/live')).toHaveLength(2));
});
