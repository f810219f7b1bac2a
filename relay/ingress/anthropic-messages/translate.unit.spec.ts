import { expect, test } from 'vitest';
import { sseText, translating } from '../../../tests/support/vectors/translating.ts';
import { anthropic } from '../../providers/anthropic/index.ts';
import type { JsonObject } from '../../providers/translate.ts';
import {
  chatFromMessages,
  createMessageStream,
  encodeEvent,
  errorOf,
  type MessageEvent,
  messageOf,
} from './translate.ts';

const names = { id: 'msg_own', model: 'gpt-4o', inputTokens: 7 };
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } };
const tool = {
  name: 'get_weather',
  description: 'Look up',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
};
const conversation: JsonObject = {
  model: 'gpt-4o',
  max_tokens: 100,
  temperature: 0,
  stop_sequences: ['A', 'B'],
  system: [
    { type: 'text', text: 'Be brief.' },
    { type: 'text', text: 'Be kind.' },
  ],
  metadata: { user_id: 'u1' },
  tools: [tool],
  tool_choice: { type: 'any', disable_parallel_tool_use: true },
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'See' }, image] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 't1', name: 'get_weather', input: { city: 'Oslo' } },
        { type: 'tool_use', id: 't2', name: 'get_weather', input: { city: 'Rome' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: '3C' },
        { type: 'tool_result', tool_use_id: 't2', content: [{ type: 'text', text: '18C' }, image] },
        { type: 'text', text: 'And now?' },
      ],
    },
  ],
};

test('a conversation with tools, pictures and instructions keeps everything for OpenAI models', async () => {
  const url = 'data:image/png;base64,iVBO';
  const picture = { type: 'image_url', image_url: { url } };
  const args = (city: string): JsonObject => ({
    name: 'get_weather',
    arguments: JSON.stringify({ city }),
  });
  expect(await chatFromMessages(conversation, 'openai')).toEqual({
    model: 'gpt-4o',
    max_tokens: 100,
    temperature: 0,
    stop: ['A', 'B'],
    user: 'u1',
    tools: [
      {
        type: 'function',
        function: {
          name: 'get_weather',
          description: 'Look up',
          parameters: tool.input_schema,
        },
      },
    ],
    tool_choice: 'required',
    parallel_tool_calls: false,
    messages: [
      { role: 'system', content: 'Be brief.\nBe kind.' },
      { role: 'user', content: [{ type: 'text', text: 'See' }, picture] },
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [
          { id: 't1', type: 'function', function: args('Oslo') },
          { id: 't2', type: 'function', function: args('Rome') },
        ],
      },
      { role: 'tool', tool_call_id: 't1', content: '3C' },
      { role: 'tool', tool_call_id: 't2', content: '18C' },
      { role: 'user', content: [picture, { type: 'text', text: 'And now?' }] },
    ],
  });
});

test('a conversation that goes on to a Claude host is the same again', async () => {
  const body: JsonObject = {
    ...conversation,
    model: 'claude-3-7-sonnet-20250219',
    max_tokens: 4000,
    temperature: undefined,
    thinking: { type: 'enabled', budget_tokens: 1024 },
    tool_choice: { type: 'auto' },
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    tools: [{ ...tool, cache_control: { type: 'ephemeral' } }],
    container: 'c1',
  };
  const chat = await chatFromMessages(body, 'claude');
  const again = await translating(anthropic, 14).up({ body: { ...chat } });
  expect(again).toMatchObject({
    system: body.system,
    tools: body.tools,
    thinking: body.thinking,
    messages: body.messages,
    metadata: { user_id: 'u1' },
    stop_sequences: ['A', 'B'],
    container: 'c1',
  });
});

test('blocks that only Claude reads are refused to others instead of dropped', async () => {
  const blocks = [{ type: 'search_result', title: 'T' }];
  const body = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: blocks }] };
  expect(await chatFromMessages(body, 'openai')).toMatchObject({ status: 400 });
});

const usage = {
  prompt_tokens: 160,
  completion_tokens: 5,
  prompt_tokens_details: { cached_tokens: 100, cached_creation_tokens: 50 },
};

test('an answer becomes a message with its reasoning, its text and all its calls', () => {
  const call = (id: string): JsonObject => ({
    id,
    type: 'function',
    function: { name: 'f', arguments: '{"a":1}' },
  });
  const message = { content: 'Hi', reasoning_content: 'Hm', tool_calls: [call('a'), call('b')] };
  const reply = {
    id: 'x',
    model: 'gpt-4o',
    choices: [{ message, finish_reason: 'tool_calls' }],
    usage,
  };
  expect(messageOf(reply, names)).toEqual({
    id: 'x',
    type: 'message',
    role: 'assistant',
    model: 'gpt-4o',
    content: [
      { type: 'thinking', thinking: 'Hm', signature: '' },
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'a', name: 'f', input: { a: 1 } },
      { type: 'tool_use', id: 'b', name: 'f', input: { a: 1 } },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 50,
      cache_read_input_tokens: 100,
      output_tokens: 5,
    },
  });
});

test.each([
  ['stop', undefined, 'end_turn'],
  ['stop', 'END', 'stop_sequence'],
  ['length', undefined, 'max_tokens'],
  ['content_filter', undefined, 'refusal'],
])('finish reason %s with stop word %s is told as %s', (finish, word, due) => {
  const choice = { message: { content: 'x' }, finish_reason: finish, stop_reason: word };
  expect(messageOf({ choices: [choice] }, names)).toMatchObject({ stop_reason: due });
});

const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  id: 'c1',
  model: 'gpt-4o',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const toolDelta = (index: number, more: JsonObject): JsonObject =>
  chunk({ tool_calls: [{ index, ...more }] });

const eventsOf = (chunks: readonly JsonObject[]): readonly MessageEvent[] => {
  const stream = createMessageStream(names);
  return [...chunks.flatMap((own) => stream.push(own)), ...stream.end()];
};

/** The message that a client library puts together out of the events; fails on a wrong order. */
const assembled = (events: readonly MessageEvent[]): readonly JsonObject[] => {
  const blocks: Record<string, string>[] = [];
  let open = -1;
  for (const event of events) {
    if (event.type === 'content_block_start') {
      expect(open).toBe(-1);
      open = Number(event.index);
      expect(open).toBe(blocks.length);
      blocks.push({ ...Object(event.content_block), json: '' });
    }
    if (event.type === 'content_block_delta') {
      expect(event.index).toBe(open);
      const delta: Record<string, string> = Object(event.delta);
      const block = blocks[open] ?? {};
      const target = {
        text_delta: 'text',
        thinking_delta: 'thinking',
        signature_delta: 'signature',
      };
      const member = Object.entries(target).find(([type]) => type === delta.type)?.[1] ?? 'json';
      block[member] = (block[member] ?? '') + (delta[member] ?? delta.partial_json ?? '');
    }
    if (event.type === 'content_block_stop') open = -1;
  }
  expect(open).toBe(-1);
  return blocks;
};

test('a stream opens and closes its blocks in turn, with the first words in it', () => {
  const events = eventsOf([
    chunk({ role: 'assistant', content: 'First' }),
    chunk({ reasoning_content: 'Hm' }),
    chunk({ content: 'Last' }, 'stop'),
    { id: 'c1', choices: [], usage },
  ]);
  expect(events[0]).toMatchObject({
    type: 'message_start',
    message: { id: 'c1', model: 'gpt-4o' },
  });
  expect(assembled(events)).toMatchObject([
    { type: 'text', text: 'First' },
    { type: 'thinking', thinking: 'Hm' },
    { type: 'text', text: 'Last' },
  ]);
  expect(events.slice(-2)).toEqual([
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: expect.objectContaining({
        input_tokens: 10,
        cache_read_input_tokens: 100,
        output_tokens: 5,
      }),
    },
    { type: 'message_stop' },
  ]);
});

test('parallel calls stay apart even when their arguments come mixed', () => {
  const begin = (id: string): JsonObject => ({ id, function: { name: `f_${id}`, arguments: '' } });
  const events = eventsOf([
    toolDelta(0, begin('a')),
    toolDelta(0, { function: { arguments: '{"x"' } }),
    toolDelta(1, begin('b')),
    toolDelta(1, { function: { arguments: '{"y":2}' } }),
    toolDelta(0, { function: { arguments: ':1}' } }),
    chunk({}, 'tool_calls'),
  ]);
  expect(assembled(events)).toMatchObject([
    { type: 'tool_use', id: 'a', name: 'f_a', json: '{"x":1}' },
    { type: 'tool_use', id: 'b', name: 'f_b', json: '{"y":2}' },
  ]);
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
});

test('a thought of Claude keeps its signature through both translations', () => {
  const start = { type: 'message_start', message: { id: 'm', model: 'claude', usage: {} } };
  const words = [
    start,
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'signature_delta', signature: 'c2ln' },
    },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'redacted_thinking', data: 'zz' },
    },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
  ];
  const body = {
    model: 'claude',
    stream: true,
    thinking: { type: 'enabled', budget_tokens: 1024 },
  };
  const claude = translating(anthropic, 14);
  const translation = anthropic.stream(claude.context({ body: { ...body, messages: [] } }));
  const chunks = translation.push(Buffer.from(sseText(words)));
  if ('message' in chunks) throw new Error('failed');
  expect(assembled(eventsOf(chunks))).toMatchObject([
    { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'zz' },
  ]);
});

test('an empty stream is still a whole message, told with the estimate of its prompt', () => {
  const events = eventsOf([]);
  expect(events.map(({ type }) => type)).toEqual([
    'message_start',
    'ping',
    'message_delta',
    'message_stop',
  ]);
  expect(events.at(-2)).toMatchObject({ usage: { input_tokens: 7, output_tokens: 0 } });
});

test('events carry their names on the wire', () => {
  expect(encodeEvent({ type: 'ping' })).toBe('event: ping\ndata: {"type":"ping"}\n\n');
});

test.each([
  [401, 'tollgate_error', 'authentication_error'],
  [403, 'tollgate_error', 'permission_error'],
  [422, 'tollgate_error', 'invalid_request_error'],
  [429, 'insufficient_quota', 'rate_limit_error'],
  [502, 'upstream_error', 'api_error'],
  [529, 'overloaded_error', 'overloaded_error'],
])('an error with status %i and type %s is a %s here', (status, type, due) => {
  const error = { status, type, message: 'No', code: null };
  expect(errorOf(error, 'req1')).toEqual({
    type: 'error',
    error: { type: due, message: 'No' },
    request_id: 'req1',
  });
});
