import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../relay/protocol/canonical.ts';
import { aChannel, json, sealedFor, sse } from '../support/relay/relay-harness.ts';
import { relayScene } from '../support/relay/scene.ts';

const refusal = json({ error: { message: 'enough' } }, 400);
const scene = relayScene({ usual: refusal, hasChannel: false });

const sonnet = 'claude-sonnet-4-5-20250929';
const hello = [{ role: 'user', content: 'Hi' }];
const keys: Readonly<Record<number, string>> = { 33: 'access|secret|us-east-1' };

/** A channel of this type, on which the model has this name. */
const put = async (type: number, model: string, upstreamModel = model): Promise<void> => {
  await scene.relay.put.option('ModelRatio', JSON.stringify({ [model]: 1 }));
  await scene.relay.put.channel({
    ...aChannel(1, {
      type,
      baseUrl: scene.upstream.url,
      models: [model],
      modelMapping: JSON.stringify({ [model]: upstreamModel }),
    }),
    sealedKey: sealedFor(1, keys[type] ?? 'key'),
  });
};
const post = async (path: string, body: JsonObject): Promise<JsonObject> =>
  JSON.parse((await scene.relay.send(path, JSON.stringify(body))).text);
/** The provider's request for a chat. */
const asked = async (type: number, model: string, more: JsonObject): Promise<JsonObject> => {
  await put(type, model);
  await post('/v1/chat/completions', { model, messages: hello, ...more });
  return scene.sent();
};
const refused = async (type: number, model: string, more: JsonObject): Promise<unknown> => {
  await put(type, model);
  const { error } = await post('/v1/chat/completions', { model, messages: hello, ...more });
  expect(scene.upstream.requests).toHaveLength(0);
  return Object(error).message;
};
const functionNamed = (name: string): JsonObject => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
});

describe('thinking is requested in the form of the model that answers', () => {
  test.each([
    [{ thinking: { type: 'enabled', budget_tokens: 12_000 } }, 'high'],
    [{ thinking: { type: 'enabled', budget_tokens: 2_048 } }, 'low'],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } }, 'medium'],
  ])('of a caller of Messages: %j', async (more, effort) => {
    await put(1, 'claude-x', 'gpt-5');
    await post('/v1/messages', { model: 'claude-x', max_tokens: 20_000, messages: hello, ...more });
    expect(scene.sent()).toMatchObject({
      ...{ model: 'gpt-5', reasoning_effort: effort, max_completion_tokens: 20_000 },
    });
  });

  test('and not of one that does not think', async () => {
    await put(1, 'gpt-5-alias', 'gpt-4o');
    const thinking = { type: 'enabled', budget_tokens: 12_000 };
    const body = { model: 'gpt-5-alias', max_tokens: 20_000, messages: hello, thinking };
    await post('/v1/messages', body);
    expect(scene.sent()).toEqual({ model: 'gpt-4o', messages: hello, max_tokens: 20_000 });
  });

  test.each([
    [1, 'gpt-5', { thinkingLevel: 'HIGH' }, { reasoning_effort: 'high' }],
    [1, 'gpt-5', { thinkingBudget: 4_000 }, { reasoning_effort: 'medium' }],
    [14, 'claude-opus-4-7', { thinkingLevel: 'low' }, { output_config: { effort: 'low' } }],
    [14, sonnet, { thinkingLevel: 'low' }, { thinking: { budget_tokens: 1_280 } }],
  ] as const)('of a caller of Gemini, type %i, %s, %j', async (type, to, thinkingConfig, sees) => {
    await put(type, 'gemini-x', to);
    const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
    const generationConfig = { thinkingConfig };
    await post('/v1beta/models/gemini-x:generateContent', { contents, generationConfig });
    expect(scene.sent()).toMatchObject(sees);
  });

  test('of callers of Ollama and Cohere', async () => {
    await put(1, 'thinker', 'gpt-5');
    await post('/api/chat', { model: 'thinker', messages: hello, think: 'high' });
    expect(scene.sent()).toMatchObject({ model: 'gpt-5', reasoning_effort: 'high' });
    const thinking = { type: 'enabled', token_budget: 1_000 };
    await post('/v2/chat', { model: 'thinker', messages: hello, thinking });
    expect(scene.sent()).toMatchObject({ model: 'gpt-5', reasoning_effort: 'low' });
  });

  test.each([
    [14, sonnet, 'xhigh', { thinking: { type: 'enabled', budget_tokens: 8_192 } }],
    [14, 'claude-opus-4-7', 'xhigh', { output_config: { effort: 'xhigh' } }],
    [
      24,
      'gemini-2.5-flash',
      'xhigh',
      { generationConfig: { thinkingConfig: { thinkingBudget: 24_576 } } },
    ],
    [
      24,
      'gemini-3-pro-preview',
      'xhigh',
      { generationConfig: { thinkingConfig: { thinkingLevel: 'high' } } },
    ],
    [
      24,
      'gemini-3-pro-preview',
      'minimal',
      { generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } },
    ],
    [
      24,
      'gemini-3-flash',
      'none',
      { generationConfig: { thinkingConfig: { thinkingLevel: 'minimal' } } },
    ],
  ] as const)('type %i, %s takes %s', async (type, model, effort, sees) => {
    expect(
      await asked(type, model, { max_tokens: 30_000, reasoning_effort: effort }),
    ).toMatchObject(sees);
  });
});

describe('a tool that failed', () => {
  const failed = {
    max_tokens: 100,
    tools: [{ name: 'f', input_schema: { type: 'object' } }],
    messages: [
      ...hello,
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'boom' }],
      },
    ],
  };

  test('is passed so to models of Bedrock', async () => {
    await put(33, 'amazon.nova-pro-v1:0');
    await post('/v1/messages', { model: 'amazon.nova-pro-v1:0', ...failed });
    const toolResult = { toolUseId: 't1', content: [{ text: 'boom' }], status: 'error' };
    expect(scene.sent().messages.at(-1)).toEqual({ role: 'user', content: [{ toolResult }] });
  });

  test('is passed so to Gemini', async () => {
    await put(24, 'gemini-2.5-pro');
    await post('/v1/messages', { model: 'gemini-2.5-pro', ...failed });
    const functionResponse = { name: 'f', response: { error: 'boom' } };
    expect(scene.sent().contents.at(-1)).toMatchObject({ parts: [{ functionResponse }] });
  });
});

describe('what a model cannot do is refused by its name', () => {
  const others = [
    [14, sonnet],
    [33, 'amazon.nova-pro-v1:0'],
    [34, 'command-a'],
  ] as const;

  test.each([...others, [24, 'gemini-2.5-pro'] as const])(
    'custom tools, type %i',
    async (...to) => {
      const tools = [{ type: 'custom', custom: { name: 'shell', description: 'runs' } }];
      expect(await refused(...to, { tools })).toContain('custom tool shell is not supported');
    },
  );

  test.each(others)('several answers, type %i', async (...to) => {
    expect(await refused(...to, { n: 2 })).toContain('n is 2');
  });
});

test.each([
  [14, sonnet, { tools: [{ name: 'g' }], tool_choice: { type: 'any' } }],
  [
    ...[24, 'gemini-2.5-pro'],
    {
      tools: [{ functionDeclarations: [{ name: 'g' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    },
  ],
] as const)('only the tools that are allowed are shown, type %i', async (type, model, sees) => {
  const own = { mode: 'required', tools: [{ type: 'function', function: { name: 'g' } }] };
  const more = {
    tools: [functionNamed('f'), functionNamed('g')],
    tool_choice: { type: 'allowed_tools', allowed_tools: own },
  };
  const sent = await asked(Number(type), String(model), more);
  expect(sent).toMatchObject(Object(sees));
  expect(JSON.stringify(sent)).not.toContain('"f"');
});

describe('a schema next to tools', () => {
  const schema = {
    type: 'object',
    properties: { count: { type: 'integer', minimum: 1, description: 'how many' } },
    required: ['count'],
  };
  const more = {
    tools: [functionNamed('f')],
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
  };
  const followed = {
    type: 'object',
    properties: { count: { type: 'integer', description: 'how many\n{minimum: 1}' } },
    required: ['count'],
    additionalProperties: false,
  };

  test.each([
    [14, sonnet],
    [33, 'claude-sonnet-4-5-20250929'],
  ])('is followed by Claude itself, type %i', async (type, model) => {
    const sent = await asked(type, model, more);
    expect(sent.output_config).toEqual({ format: { type: 'json_schema', schema: followed } });
    expect(sent.system).toBeUndefined();
  });

  test('is followed while thinking', async () => {
    const { tools: _, ...alone } = more;
    const sent = await asked(14, sonnet, { ...alone, reasoning_effort: 'low', max_tokens: 9_000 });
    expect(sent).toMatchObject({ thinking: {}, output_config: { format: { schema: followed } } });
  });

  test('is requested by instructions from models without schemas', async () => {
    const sent = await asked(14, 'claude-3-7-sonnet-20250219', more);
    expect(sent.output_config).toBeUndefined();
    expect(sent.system).toContain('"minimum":1');
  });

  test('goes to Gemini as one where it takes both, else in words', async () => {
    const sent = await asked(24, 'gemini-3-pro-preview', more);
    expect(sent.generationConfig).toMatchObject({ responseMimeType: 'application/json' });
    const older = await asked(24, 'gemini-2.5-pro', more);
    expect(older.generationConfig).toEqual({});
    expect(JSON.stringify(older.systemInstruction)).toContain('minimum');
  });
});

describe('a call without arguments of Cohere', () => {
  const body = { model: 'command-a', messages: hello, tools: [functionNamed('f')] };
  const tool = { id: 'c', type: 'function', function: { name: 'f', arguments: 'null' } };
  const tokens = { input_tokens: 1, output_tokens: 1 };

  test('has empty ones', async () => {
    await put(34, 'command-a');
    const message = { role: 'assistant', tool_calls: [tool] };
    scene.answer = json({ id: 'x', finish_reason: 'TOOL_CALL', message, usage: { tokens } });
    const reply = await post('/v1/chat/completions', body);
    expect(JSON.stringify(reply)).toContain('"name":"f","arguments":"{}"');
  });

  test('has empty ones in a stream, and a null within others stays', async () => {
    await put(34, 'command-a');
    const part = (index: number, type: string, own: JsonObject): JsonObject => ({
      ...{ type, index },
      delta: { message: { tool_calls: { ...own } } },
    });
    const named = (name: string) => ({ id: name, function: { name, arguments: '' } });
    const piece = (text: string) => ({ function: { arguments: text } });
    const events = [
      { type: 'message-start', id: 'x' },
      part(0, 'tool-call-start', named('f')),
      part(0, 'tool-call-delta', piece('null')),
      part(1, 'tool-call-start', named('g')),
      ...['{"a":', 'null', '}'].map((text) => part(1, 'tool-call-delta', piece(text))),
      { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage: { tokens } } },
    ];
    scene.answer = sse(events.map((event) => `data: ${JSON.stringify(event)}\n\n`));
    const { text } = await scene.relay.send(
      '/v1/chat/completions',
      JSON.stringify({ ...body, stream: true }),
    );
    const calls = ['', ''];
    for (const line of text.split('\n').filter((own) => own.startsWith('data: {'))) {
      for (const { index, function: own } of JSON.parse(line.slice(6)).choices[0]?.delta
        .tool_calls ?? []) {
        calls[index] += own.arguments;
      }
    }
    expect(calls).toEqual(['{}', '{"a":null}']);
  });
});
