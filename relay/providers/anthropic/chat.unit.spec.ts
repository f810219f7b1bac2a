import { expect, test } from 'vitest';
import { fakeIo } from '../../../tests/support/vectors/context.ts';
import { sseText, translating } from '../../../tests/support/vectors/translating.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { anthropic } from './translate.ts';

const claude = translating(anthropic, 14);
const model = 'claude-3-5-sonnet-20241022';
const user = { role: 'user', content: 'Hi' };
const call = (more: JsonObject = {}): Readonly<{ body: JsonObject }> => ({
  body: { model, messages: [user], ...more },
});
const weather = {
  type: 'function',
  function: { name: 'get_weather', parameters: { type: 'object', properties: {} } },
};
const answer = (content: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  model,
  content,
  stop_reason: 'end_turn',
  usage: { input_tokens: 5, output_tokens: 3 },
  ...more,
});
const text = { type: 'text', text: 'Hello' };

test('explicit zeros and members unknown to us reach the provider', async () => {
  const body = await claude.up(
    call({ temperature: 0, top_p: 0, top_k: 1, container: { id: 'c' } }),
  );
  expect(body).toMatchObject({ temperature: 0, top_p: 0, top_k: 1, container: { id: 'c' } });
});

test('members that only OpenAI has are left out', async () => {
  const body = await claude.up(call({ n: 1, seed: 7, logit_bias: {}, presence_penalty: 0.5 }));
  expect(Object.keys(body).sort()).toEqual(['max_tokens', 'messages', 'model']);
});

test('a tool choice is kept, and "no tool" may be chosen as well', async () => {
  const named = { type: 'function', function: { name: 'get_weather' } };
  const forced = await claude.up(call({ tools: [weather], tool_choice: named }));
  expect(forced.tool_choice).toEqual({ type: 'tool', name: 'get_weather' });
  const none = await claude.up(call({ tools: [weather], tool_choice: 'none' }));
  expect(none.tool_choice).toEqual({ type: 'none' });
});

test('white space is no stop word', async () => {
  const body = await claude.up(call({ stop: ['END', '\n', ' '] }));
  expect(body.stop_sequences).toEqual(['END']);
});

test('names of tools that the provider refuses are changed and given back', async () => {
  const odd = { type: 'function', function: { name: 'my.tool/one' } };
  const body = await claude.up(call({ tools: [odd] }));
  expect(body.tools).toMatchObject([{ name: 'my_tool_one' }]);
  const use = { type: 'tool_use', id: 't', name: 'my_tool_one', input: {} };
  const reply = await claude.down(
    answer([use], { stop_reason: 'tool_use' }),
    call({ tools: [odd] }),
  );
  expect(JSON.stringify(reply)).toContain('my.tool/one');
});

test('all text blocks of an answer arrive, and all its calls', async () => {
  const calls = ['a', 'b'].map((id) => ({
    type: 'tool_use',
    id,
    name: 'get_weather',
    input: { id },
  }));
  const reply = await claude.down(
    answer([text, { type: 'text', text: ' there' }, ...calls], { stop_reason: 'tool_use' }),
    call({ tools: [weather] }),
  );
  expect(reply).toMatchObject({
    body: {
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: 'Hello there',
            tool_calls: [{ id: 'a' }, { id: 'b', function: { arguments: '{"id":"b"}' } }],
          },
        },
      ],
    },
  });
});

test('cache reads and writes are reported outside of the prompt, as they are billed', async () => {
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 50,
    cache_read_input_tokens: 100,
    output_tokens: 5,
  };
  const reply = await claude.down(answer([text], { usage }), call());
  expect(reply).toMatchObject({
    usage: {
      promptTokens: 10,
      completionTokens: 5,
      cachedTokens: 100,
      cacheCreationTokens: 50,
      cacheApart: true,
    },
  });
});

test('an answer without usage reports none', async () => {
  expect(await claude.down(answer([text], { usage: {} }), call())).toMatchObject({ usage: null });
});

const signed = { type: 'thinking', thinking: 'Hm', signature: 'c2ln' };

test('a signature is sent to callers with tools and returned in front of the calls', async () => {
  const situation = call({ tools: [weather], thinking: { type: 'enabled', budget_tokens: 1024 } });
  const use = { type: 'tool_use', id: 't1', name: 'get_weather', input: {} };
  const reply = await claude.down(answer([signed, use], { stop_reason: 'tool_use' }), situation);
  if (!('body' in reply) || Buffer.isBuffer(reply.body)) throw new Error('no body');
  const [choice] = reply.body.choices as readonly JsonObject[];
  const next = await claude.up(
    call({
      tools: [weather],
      thinking: { type: 'enabled', budget_tokens: 1024 },
      messages: [user, choice?.message, { role: 'tool', tool_call_id: 't1', content: '3C' }],
    }),
  );
  expect(next.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [signed, use] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '3C' }] },
  ]);
  expect(next.thinking).toEqual({ type: 'enabled', budget_tokens: 1024 });
});

test('thinking is off where a turn of calls has lost its signature', async () => {
  const calls = [{ id: 't1', type: 'function', function: { name: 'get_weather', arguments: '' } }];
  const body = await claude.up(
    call({
      tools: [weather],
      max_tokens: 4000,
      reasoning_effort: 'low',
      messages: [
        user,
        { role: 'assistant', content: null, tool_calls: calls },
        { role: 'tool', tool_call_id: 't1', content: '3C' },
      ],
    }),
  );
  expect(body.thinking).toBeUndefined();
  expect(body.messages).toMatchObject([{}, { content: [{ type: 'tool_use', input: {} }] }, {}]);
});

test('an effort leaves room for an answer within the limit that the caller set', async () => {
  const body = await claude.up(call({ max_tokens: 2000, reasoning_effort: 'high' }));
  // A fifth of the limit is left for the answer.
  expect(body).toMatchObject({ max_tokens: 2000, thinking: { budget_tokens: 1600 } });
  expect((await claude.up(call({ max_tokens: 500, reasoning_effort: 'high' }))).thinking).toBe(
    undefined,
  );
});

const pictured = (url: string): JsonObject => ({
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
});
const picture = { content_type: 'image/png', base64: 'iVBORw0KGgo=' };

test('a picture by address is fetched once, within a bound and from public addresses only', async () => {
  const io = fakeIo({ exchanges: [{ request: {}, response: picture }] });
  const image = { type: 'image_url', image_url: { url: 'https://img.example.com/a.png' } };
  const messages = [{ role: 'user', content: [image, image] }];
  const body = await claude.up({ ...call({ messages }), io });
  const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
  expect(body.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image', source },
        { type: 'image', source },
      ],
    },
  ]);
  expect(io.sent).toMatchObject([{ publicOnly: true, maxBytes: 20 * 1024 * 1024 }]);
});

test('a picture that cannot be fetched is the mistake of the caller', async () => {
  const situation = { ...call(pictured('https://img.example.com/a.png')), io: fakeIo() };
  expect(await claude.request(situation)).toMatchObject({
    status: 400,
    type: 'invalid_request_error',
  });
});

test('a JSON schema is answered by a separate tool, whose input is the content', async () => {
  const schema = { type: 'object', properties: { ok: { type: 'boolean' } } };
  const response_format = { type: 'json_schema', json_schema: { name: 'verdict', schema } };
  const body = await claude.up(call({ response_format }));
  expect(body.tool_choice).toEqual({ type: 'tool', name: 'verdict' });
  const use = { type: 'tool_use', id: 't', name: 'verdict', input: { ok: true } };
  const reply = await claude.down(
    answer([use], { stop_reason: 'tool_use' }),
    call({ response_format }),
  );
  expect(reply).toMatchObject({
    body: { choices: [{ finish_reason: 'stop', message: { content: '{"ok":true}' } }] },
  });
});

test('marks for the prompt cache stay where they were', async () => {
  const cache_control = { type: 'ephemeral' };
  const part = { type: 'text', text: 'Long', cache_control };
  const body = await claude.up(call({ messages: [{ role: 'system', content: [part] }, user] }));
  expect(body.system).toEqual([part]);
});

const start = {
  type: 'message_start',
  message: { id: 'msg_1', model, usage: { input_tokens: 9, output_tokens: 1 } },
};
const delta = (own: JsonObject, index = 0): JsonObject => ({
  type: 'content_block_delta',
  index,
  delta: own,
});

test('the text before an error in the stream still arrives, then the error', () => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Busy' } };
  const words = [start, delta({ type: 'text_delta', text: 'Half' }), overloaded];
  const { produced, error, usage } = claude.streamed(sseText(words), call({ stream: true }));
  expect(produced.choices['0']?.texts.content).toBe('Half');
  expect(error).toMatchObject({ status: 529, type: 'overloaded_error', message: 'Busy' });
  expect(usage).toMatchObject({ promptTokens: 9 });
});

test('a stream that breaks off differs from one that ended', () => {
  const words = [start, delta({ type: 'text_delta', text: 'Half' })];
  const { error } = claude.streamed(sseText(words), call({ stream: true }));
  expect(error).toMatchObject({ code: 'stream_interrupted', status: 502 });
});

test('a streamed call without arguments has empty ones, and calls are counted from 0', () => {
  const begin = (index: number, id: string): JsonObject => ({
    type: 'content_block_start',
    index,
    content_block: { type: 'tool_use', id, name: 'get_weather', input: {} },
  });
  const stop = (index: number): JsonObject => ({ type: 'content_block_stop', index });
  const end = {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use' },
    usage: { output_tokens: 4 },
  };
  const words = [start, begin(1, 'a'), stop(1), begin(2, 'b'), stop(2), end];
  const { produced } = claude.streamed(sseText(words), call({ stream: true, tools: [weather] }));
  expect(produced.choices['0']?.calls).toMatchObject({
    0: { id: 'a', arguments: '{}' },
    1: { id: 'b', arguments: '{}' },
  });
});

test('arguments that are no JSON are refused before anything goes up', async () => {
  const calls = [{ id: 't', type: 'function', function: { name: 'f', arguments: '{oops' } }];
  const messages = [user, { role: 'assistant', tool_calls: calls }];
  expect(await claude.request(call({ messages }))).toMatchObject({ status: 400 });
});
