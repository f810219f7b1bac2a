import { expect, test } from 'vitest';
import { translating } from '../../../tests/support/vectors/translating.ts';
import { anthropic } from '../../providers/anthropic/translate.ts';
import type { JsonObject } from '../canonical.ts';
import { chatFromMessages, messageOf } from './translate.ts';

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

test('a conversation that continues on a Claude host is unchanged', async () => {
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
])('finish reason %s with stop word %s is written as %s', (finish, word, due) => {
  const choice = { message: { content: 'x' }, finish_reason: finish, stop_reason: word };
  expect(messageOf({ choices: [choice] }, names)).toMatchObject({ stop_reason: due });
});

test('the schema of an answer and the effort reach models that are not Claude', async () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } };
  const body = {
    model: 'gpt-5',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Where?' }],
    output_config: { effort: 'max', format: { type: 'json_schema', schema } },
  };
  const wanted = {
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', schema },
    },
    reasoning_effort: 'high',
  };
  expect(await chatFromMessages(body, 'openai')).toMatchObject(wanted);
  expect(await chatFromMessages(body, 'gemini')).toMatchObject(wanted);
});

test("Google's proof of a call's thought goes to a Claude caller and back", async () => {
  const google = { thought_signature: 'cHJvb2Y=' };
  const call = {
    id: 'c1',
    type: 'function',
    function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
    extra_content: { google },
  };
  const chat = {
    choices: [{ message: { reasoning_content: 'Hm', tool_calls: [call] } }],
  };
  const { content } = messageOf(chat, names);
  const body = {
    model: 'gemini-3-pro-preview',
    max_tokens: 100,
    messages: [
      { role: 'user', content: 'Where?' },
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '3C' }] },
    ],
  };
  const back = await chatFromMessages(body, 'gemini');
  expect(back).toMatchObject({ messages: [{}, { tool_calls: [call] }, {}] });
  expect(JSON.stringify(await chatFromMessages(body, 'openai'))).not.toContain('cHJvb2Y=');
});
