import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { compilePrices } from '../../../../domain/pricing/compile-prices.ts';
import { usableGroupsOf } from '../../../../domain/pricing/groups.ts';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { answered, ok, type StubRoutes, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const chatPath = '/pg/chat/completions';
const piece = (content: string) => JSON.stringify({ choices: [{ delta: { content } }] });

/** An answer that the test writes event by event, and that stays open until the test ends it. */
const openStream = () => {
  const encoder = new TextEncoder();
  const writers: ReadableStreamDefaultController<Uint8Array>[] = [];
  const body = new ReadableStream<Uint8Array>({ start: (writer) => void writers.push(writer) });
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    say: (data: string) => writers[0]?.enqueue(encoder.encode(`data: ${data}\n\n`)),
    end: () => writers[0]?.close(),
  };
};

const open = async (routes: StubRoutes = {}) => {
  const { calls } = stubApi({
    'GET /api/user/models': ok(['claude-3', 'gpt-4o-mini', 'o3']),
    'GET /api/user/self/groups': ok({
      vip: { ratio: 2, desc: 'Faster' },
      default: { ratio: 1, desc: 'Usual' },
    }),
    ...routes,
  });
  const { person } = await renderConsole({ at: '/playground', user: aUser });
  const chat = within(await screen.findByRole('region', { name: 'Playground' }));
  const send = async (text: string) => {
    await person.type(chat.getByLabelText('Message'), text);
    await person.click(chat.getByRole('button', { name: 'Send' }));
  };
  const sent = () => calls.filter(({ path }) => path === chatPath).map(({ body }) => body);
  return { person, chat, send, sent };
};
const panel = async () => within(await screen.findByRole('region', { name: 'Model settings' }));

test('unchanged descriptions of groups are in the language of the page', async () => {
  const own = usableGroupsOf(compilePrices(new Map()), 'team');
  const groups = [...own].map(([name, desc]) => [name, { ratio: 1, desc }]);
  await open({
    'GET /api/user/self/groups': ok({
      ...Object.fromEntries(groups),
      svip: { ratio: 2, desc: '贵宾' },
    }),
  });
  const settings = await panel();
  await settings.findByRole('option', { name: 'default (Default group, 1x)' });
  expect(settings.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'default (Default group, 1x)',
    'vip (VIP group, 1x)',
    'team (User group, 1x)',
    'svip (贵宾, 2x)',
  ]);
});

test('the settings next to the chat offer groups and models of the person, and usable defaults', async () => {
  const { person, chat, send, sent } = await open({
    [`POST ${chatPath}`]: () => answered(503, { error: { message: 'no channel' } }),
  });
  const settings = await panel();
  const group = settings.getByLabelText('Group');
  await settings.findByRole('option', { name: 'default (Usual, 1x)' });
  expect(
    within(group)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['default (Usual, 1x)', 'vip (Faster, 2x)']);
  const model = settings.getByLabelText('Model');
  await waitFor(() => expect(model).toHaveProperty('value', 'gpt-4o-mini'));
  expect(settings.getByRole('slider').getAttribute('aria-valuenow')).toBe('0');
  expect(settings.getByLabelText('Max tokens')).toHaveProperty('value', '');
  const system = settings.getByLabelText('System') as HTMLTextAreaElement;
  expect(system.value).toMatch(/^You are a helpful assistant/);
  expect(chat.getByText('Start a conversation')).toBeTruthy();
  await send('hello');
  await waitFor(() =>
    expect(sent()).toEqual([
      {
        model: 'gpt-4o-mini',
        group: 'default',
        temperature: 0,
        max_tokens: 0,
        stream: true,
        messages: [
          { role: 'system', content: system.value },
          { role: 'user', content: 'hello' },
        ],
      },
    ]),
  );
  await person.selectOptions(group, 'vip');
  await person.click(model);
  const models = within(await settings.findByRole('listbox')).getAllByRole('option');
  expect(models.map(({ textContent }) => textContent)).toEqual(['claude-3', 'gpt-4o-mini', 'o3']);
  await person.click(settings.getByText('o3'));
  await person.click(settings.getByLabelText('Max tokens'));
  await person.paste('64.9 tokens');
  await person.clear(system);
  await chat.findByRole('alert');
  await send('again');
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]).toMatchObject({ model: 'o3', group: 'vip', max_tokens: 64 });
  expect(JSON.stringify(sent()[1])).not.toContain('helpful');
});

test('an answer waits, grows as plain text, and is whole at the mark of its end', async () => {
  const stream = openStream();
  const { person, chat, send, sent } = await open({ [`POST ${chatPath}`]: stream.response });
  await send('hello');
  expect(await chat.findByLabelText('Waiting for the answer')).toBeTruthy();
  stream.say(piece('so **far'));
  expect(await chat.findByText('so **far')).toBeTruthy();
  expect(chat.queryByLabelText('Waiting for the answer')).toBeNull();
  stream.say(piece('** so good'));
  expect(await chat.findByText('so **far** so good')).toBeTruthy();
  expect(chat.getByRole('button', { name: 'Stop' })).toBeTruthy();
  stream.say('[DONE]');
  expect((await chat.findByText('far')).tagName).toBe('STRONG');
  expect(await chat.findByRole('button', { name: 'Send' })).toBeTruthy();
  stream.end();
  await person.click(chat.getByRole('button', { name: 'Clear context' }));
  expect(await chat.findByText('Start a conversation')).toBeTruthy();
  expect(chat.queryByText('hello')).toBeNull();
  expect(sent()).toHaveLength(1);
});

test('an error within the stream is written after the text, and nothing is sent again', async () => {
  const stream = openStream();
  const { chat, send, sent } = await open({ [`POST ${chatPath}`]: stream.response });
  await send('hello');
  stream.say(piece('so far, '));
  stream.say(JSON.stringify({ error: { message: 'the channel broke' } }));
  const message = await chat.findByRole('alert');
  expect(message.textContent).toContain('so far, the channel broke');
  expect(await chat.findByRole('button', { name: 'Send' })).toBeTruthy();
  expect(sent()).toHaveLength(1);
});

test('after a cleared context the next question goes alone', async () => {
  const answers = [openStream(), openStream()];
  const { person, chat, send, sent } = await open({
    [`POST ${chatPath}`]: () => answers[sent().length - 1]?.response,
  });
  for (const { say } of answers) {
    say(piece('fine'));
    say('[DONE]');
  }
  await send('first');
  expect(await chat.findByText('fine')).toBeTruthy();
  await person.click(await chat.findByRole('button', { name: 'Clear context' }));
  await send('second');
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(JSON.stringify(sent()[1])).not.toMatch(/first|fine/);
});

test('on a phone the settings wait behind a button', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(max-width: 600px)',
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  const { person, chat } = await open();
  expect(screen.queryByLabelText('Max tokens')).toBeNull();
  await person.click(chat.getByRole('button', { name: 'Model settings' }));
  expect(await screen.findByLabelText('Max tokens')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByLabelText('Max tokens')).toBeNull());
});
