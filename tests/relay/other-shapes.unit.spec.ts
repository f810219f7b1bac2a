import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../relay/protocol/canonical.ts';
import { aChannel, doneEvent, json, rawKey, sse } from '../support/relay/relay-harness.ts';
import { relayScene } from '../support/relay/scene.ts';
import { foldStream } from './preservation/streams.ts';
import { at } from './preservation/tables.ts';

const scene = relayScene({ hasChannel: false });

const model = 'gpt-4o-mini';
const put = (type: number): Promise<void> =>
  scene.relay.put.channel(aChannel(1, { type, baseUrl: scene.upstream.url }));

/** One question in each protocol; the answer as one object. */
const ask = {
  claude: async (isStream: boolean): Promise<JsonObject> => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const body = { model, max_tokens: 9, messages, stream: isStream };
    const { text } = await scene.relay.send('/v1/messages', JSON.stringify(body));
    return isStream ? foldStream('claude', text) : JSON.parse(text);
  },
  gemini: async (isStream: boolean): Promise<JsonObject> => {
    const action = isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    const { text } = await scene.relay.send(
      `/v1beta/models/${model}:${action}`,
      JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
      { authorization: '', 'x-goog-api-key': rawKey },
    );
    return isStream ? foldStream('gemini', text) : JSON.parse(text);
  },
  responses: async (isStream: boolean): Promise<JsonObject> => {
    const { text } = await scene.relay.send(
      '/v1/responses',
      JSON.stringify({ model, input: 'Hi', stream: isStream }),
    );
    if (!isStream) return JSON.parse(text);
    const last = text.split('\n').findLast((line) => line.startsWith('data: '));
    return Object(JSON.parse(last?.slice(6) ?? '{}').response);
  },
};

const message = { role: 'assistant', content: 'Here.' };
const choices = [{ index: 0, message, finish_reason: 'stop' }];
const chunk = (delta: object, finish: string | null, more: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;

describe('sources that a provider lists outside of the choices', () => {
  const found = {
    citations: ['https://a.test/', 'https://b.test/'],
    search_results: [
      { title: 'A', url: 'https://a.test/' },
      { title: 'B', url: 'https://b.test/' },
    ],
  };
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const urls = {
    claude: (own: JsonObject) => [0, 1].map((place) => at(own, `content.0.citations.${place}.url`)),
    gemini: (own: JsonObject) =>
      [0, 1].map((place) =>
        at(own, `candidates.0.groundingMetadata.groundingChunks.${place}.web.uri`),
      ),
    responses: (own: JsonObject) =>
      [0, 1].map((place) => at(own, `output.0.content.0.annotations.${place}.url`)),
  };

  test.each([
    ['claude', false],
    ['claude', true],
    ['gemini', false],
    ['gemini', true],
    ['responses', false],
    ['responses', true],
  ] as const)('arrive once at a caller of %s (streamed: %s)', async (caller, isStream) => {
    await put(27);
    scene.answer = isStream
      ? sse([
          chunk({ role: 'assistant', content: 'He' }, null, { ...found, usage }),
          chunk({ content: 're.' }, null, { ...found, usage }),
          chunk({ content: '' }, 'stop', { ...found, usage }),
        ])
      : json({ id: 'p', object: 'chat.completion', choices, usage, ...found });
    const own = await ask[caller](isStream);
    expect(urls[caller](own)).toEqual(found.citations);
    expect(JSON.stringify(own).split('https://b.test/')).toHaveLength(2);
  });

  test('are sources without a title where only their addresses are listed', async () => {
    await put(27);
    scene.answer = json({ id: 'p', choices, usage, citations: found.citations });
    const own = await ask.claude(false);
    expect(urls.claude(own)).toEqual(found.citations);
    expect(at(own, 'content.0.citations.0.title')).toBeNull();
  });
});

test.each([
  ['claude', 'usage.cache_read_input_tokens'],
  ['gemini', 'usageMetadata.cachedContentTokenCount'],
  ['responses', 'usage.input_tokens_details.cached_tokens'],
] as const)(
  'cache reads outside of the counts are reported to a caller of %s',
  async (caller, path) => {
    await put(25);
    const usage = { prompt_tokens: 30, completion_tokens: 2, total_tokens: 32, cached_tokens: 20 };
    scene.answer = json({ id: 'm', object: 'chat.completion', choices, usage });
    expect(at(await ask[caller](false), path)).toBe(20);
    scene.answer = sse([
      chunk(message, 'stop', {}),
      chunk({}, null, { choices: [], usage }),
      doneEvent,
    ]);
    expect(at(await ask[caller](true), path)).toBe(20);
  },
);

test("blocks of Claude's own tools are returned by a caller of OpenAI", async () => {
  await put(14);
  const found = [
    { type: 'server_tool_use', id: 's1', name: 'web_fetch', input: { url: 'https://a.test/' } },
    { type: 'web_fetch_tool_result', tool_use_id: 's1', content: { type: 'web_fetch_result' } },
  ];
  const head = { id: 'm', type: 'message', role: 'assistant', stop_reason: 'end_turn' };
  const usage = { input_tokens: 3, output_tokens: 2 };
  scene.answer = json({ ...head, content: [...found, { type: 'text', text: 'Here.' }], usage });
  const messages: unknown[] = [{ role: 'user', content: 'Hi' }];
  const chat = () => scene.relay.send('/v1/chat/completions', JSON.stringify({ model, messages }));
  messages.push(at(JSON.parse((await chat()).text), 'choices.0.message'));
  messages.push({ role: 'user', content: 'And?' });
  await chat();
  const sent = JSON.parse(scene.upstream.requests.at(-1)?.body.toString() ?? '');
  expect(sent.messages[1]).toEqual({
    role: 'assistant',
    content: [...found, { type: 'text', text: 'Here.' }],
  });
});
