import { expect, test } from 'vitest';
import { sseText, translating } from '../../../tests/support/vectors/translating.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { anthropic } from './translate.ts';

const claude = translating(anthropic, 14);
const model = 'claude-sonnet-4-5';
const tools = [{ type: 'function', function: { name: 'roll', parameters: { type: 'object' } } }];
const asked = {
  body: { model, stream: true, tools, messages: [{ role: 'user', content: 'Play' }] },
};
const message = (more: JsonObject = {}): JsonObject => ({
  type: 'message_start',
  message: {
    ...{ id: 'm1', type: 'message', role: 'assistant', model, content: [] },
    usage: { input_tokens: 4, output_tokens: 1 },
    ...more,
  },
});
const ending = [
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn' },
    usage: { input_tokens: 4, output_tokens: 9 },
  },
  { type: 'message_stop' },
];
const block = (index: number, own: JsonObject, deltas: readonly JsonObject[]) => [
  { type: 'content_block_start', index, content_block: own },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];

test('an answer that is whole in its first event is written', () => {
  const use = { type: 'tool_use', id: 't1', name: 'roll', input: { player: 2 } };
  const words = { type: 'text', text: 'My turn.' };
  const events = [
    message({ content: [words, use], stop_reason: 'tool_use', stop_sequence: null }),
    { type: 'message_stop' },
  ];
  const { produced, error } = claude.streamed(sseText(events), asked);
  expect(error).toBeNull();
  expect(produced.choices[0]).toMatchObject({
    texts: { content: 'My turn.' },
    calls: { 0: { id: 't1', name: 'roll', arguments: '{"player":2}' } },
    finish: 'tool_calls',
  });
});

test('the same first event twice is one answer', () => {
  const events = [
    ...[message(), message()],
    ...block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'Hi' }]),
    ...ending,
  ];
  const { produced, usage } = claude.streamed(sseText(events), asked);
  expect(produced.choices[0]).toMatchObject({ texts: { content: 'Hi' }, finish: 'stop' });
  expect(usage).toMatchObject({ promptTokens: 4, completionTokens: 9 });
});

test("blocks of the provider's own tools are written whole, with what arrived in pieces", () => {
  const search = { type: 'server_tool_use', id: 's1', name: 'web_fetch', input: {} };
  const found = { type: 'web_fetch_tool_result', tool_use_id: 's1', content: { url: 'u' } };
  const events = [
    message(),
    ...block(0, search, [
      { type: 'input_json_delta', partial_json: '{"url":' },
      { type: 'input_json_delta', partial_json: '"https://a.test/"}' },
    ]),
    ...block(1, found, []),
    ...block(2, { type: 'compaction', content: '' }, [
      { type: 'compaction_delta', content: 'So far: ' },
      { type: 'compaction_delta', content: 'a game.' },
    ]),
    ...ending,
  ];
  const stream = anthropic.stream(claude.context(asked));
  const chunks = stream.push(Buffer.from(sseText(events)));
  const produced = JSON.stringify(chunks);
  const blocks = [...produced.matchAll(/"provider_content":(\[.*?\])\}/g)].map(([, own]) =>
    JSON.parse(own ?? ''),
  );
  expect(blocks).toEqual([
    [{ ...search, input: { url: 'https://a.test/' } }],
    [found],
    [{ type: 'compaction', content: 'So far: a game.' }],
  ]);
});
