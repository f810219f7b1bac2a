import { expect, test } from 'vitest';
import { translating } from '../../../tests/support/vectors/translating.ts';
import { gemini } from '../../providers/gemini/translate.ts';
import type { JsonObject } from '../canonical.ts';
import { objectAt, objectsAt } from '../json.ts';
import { errorOf } from './finish-reasons.ts';
import {
  chatFromContents,
  contentReplyOf,
  createContentStream,
  embeddingsOf,
  embeddingsReplyOf,
} from './translate.ts';

const conversation: JsonObject = {
  systemInstruction: { parts: [{ text: 'Be brief.' }] },
  contents: [
    {
      role: 'user',
      parts: [{ text: 'See' }, { inlineData: { mimeType: 'image/png', data: 'iVBO' } }],
    },
    {
      role: 'model',
      parts: [
        { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'sig' },
        { functionCall: { name: 'g', args: {} } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'f', response: { content: 'one' } } },
        { functionResponse: { name: 'g', response: { x: 2 } } },
      ],
    },
  ],
  tools: [
    {
      functionDeclarations: [
        {
          name: 'f',
          description: 'd',
          parameters: {
            type: 'OBJECT',
            properties: { a: { type: 'INTEGER', nullable: true }, b: { type: 'STRING' } },
          },
        },
      ],
    },
  ],
  toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
  generationConfig: {
    temperature: 0,
    topP: 0.5,
    maxOutputTokens: 9,
    stopSequences: ['END'],
    seed: 0,
    responseMimeType: 'application/json',
    responseSchema: { type: 'OBJECT', properties: { ok: { type: 'BOOLEAN' } } },
  },
};
const call = { model: 'gpt-4o', isStream: true } as const;

test('a conversation with tools, pictures and instructions keeps everything for OpenAI models', async () => {
  const made = (id: string, name: string, args: string): JsonObject => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  });
  expect(await chatFromContents({ ...call, body: conversation, dialect: 'openai' })).toEqual({
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [made('call_0', 'f', '{"a":1}'), made('call_1', 'g', '{}')],
      },
      { role: 'tool', tool_call_id: 'call_0', content: 'one' },
      { role: 'tool', tool_call_id: 'call_1', content: '{"x":2}' },
    ],
    max_tokens: 9,
    temperature: 0,
    top_p: 0.5,
    stop: 'END',
    seed: 0,
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'response',
        schema: { type: 'object', properties: { ok: { type: 'boolean' } } },
      },
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'f',
          description: 'd',
          parameters: {
            type: 'object',
            properties: { a: { type: ['integer', 'null'] }, b: { type: 'string' } },
          },
        },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'f' } },
    stream: true,
    stream_options: { include_usage: true },
  });
});

test('a conversation that continues on Gemini is unchanged', async () => {
  const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }];
  const body: JsonObject = {
    ...conversation,
    safetySettings,
    tools: [{ googleSearch: {} }],
    toolConfig: undefined,
    generationConfig: {
      temperature: 0,
      thinkingConfig: { thinkingBudget: 5 },
      mediaResolution: 'L',
    },
  };
  const chat = await chatFromContents({ ...call, body, dialect: 'gemini' });
  const again = await translating(gemini, 24).up({ body: { ...chat } });
  expect(again).toMatchObject({
    contents: body.contents,
    systemInstruction: body.systemInstruction,
    safetySettings,
    tools: body.tools,
    generationConfig: body.generationConfig,
  });
});

const usage = {
  prompt_tokens: 10,
  completion_tokens: 41,
  total_tokens: 51,
  completion_tokens_details: { reasoning_tokens: 40 },
};

test('an answer has its thoughts, its text, its calls and its usage', () => {
  const tool = { id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
  const message = { content: 'Hi', reasoning_content: 'Hm', tool_calls: [tool] };
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
  expect(contentReplyOf({ id: 'r1', model: 'gpt-4o', choices, usage }, 'gpt-4o')).toEqual({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: 'Hm', thought: true },
            { text: 'Hi' },
            { functionCall: { id: 'a', name: 'f', args: { a: 1 } } },
          ],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: 1,
      thoughtsTokenCount: 40,
      totalTokenCount: 51,
    },
    modelVersion: 'gpt-4o',
    responseId: 'r1',
  });
});

test('a stream writes text at once, calls whole, and closes with reason and usage', () => {
  const stream = createContentStream('gpt-4o');
  const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
    id: 'c1',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const part = (text: string): JsonObject => ({
    tool_calls: [{ index: 0, function: { arguments: text } }],
  });
  const events = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Hi' }),
    chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"a"' } }] }),
    chunk(part(':1}')),
    chunk({}, 'length'),
    { id: 'c1', choices: [], usage },
  ].flatMap((own) => stream.push(own));
  expect(events).toMatchObject([{ candidates: [{ content: { parts: [{ text: 'Hi' }] } }] }]);
  expect(stream.end()).toMatchObject([
    {
      candidates: [
        {
          content: { parts: [{ functionCall: { name: 'f', args: { a: 1 } } }] },
          finishReason: 'MAX_TOKENS',
        },
      ],
      usageMetadata: { totalTokenCount: 51 },
    },
  ]);
});

test('tools that only Gemini has are refused to others instead of dropped', async () => {
  const body = { contents: [], tools: [{ codeExecution: {} }] };
  expect(await chatFromContents({ ...call, body, dialect: 'openai' })).toMatchObject({
    status: 400,
  });
});

test('embeddings are requested one by one or as a batch, and answered alike', () => {
  const content = (text: string): JsonObject => ({ content: { parts: [{ text }] } });
  expect(embeddingsOf(content('a'), 'm')).toMatchObject({ model: 'm', input: 'a' });
  const batch = { requests: [{ ...content('a'), outputDimensionality: 2 }, content('b')] };
  expect(embeddingsOf(batch, 'm')).toMatchObject({ input: ['a', 'b'], dimensions: 2 });
  const reply = { data: [{ embedding: [1] }, { embedding: [2] }] };
  expect(embeddingsReplyOf(reply, true)).toEqual({
    embeddings: [{ values: [1] }, { values: [2] }],
  });
  expect(embeddingsReplyOf(reply, false)).toEqual({ embedding: { values: [1] } });
});

test.each([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [502, 'INTERNAL'],
])('an error with status %i is %s here', (code, status) => {
  const error = { status: code, message: 'No', type: 'x', code: null };
  expect(errorOf(error)).toEqual({ error: { code, message: 'No', status } });
});

test("Claude's signature goes to a Gemini caller and back, whole and in a stream", async () => {
  const detail = { type: 'reasoning.text', text: 'Hm', signature: 'c2ln' };
  const message = { reasoning_content: 'Hm', reasoning_details: [detail] };
  const { candidates } = contentReplyOf({ choices: [{ message }] }, 'm');
  const stream = createContentStream('m');
  const delta = { reasoning_content: 'Hm', reasoning_details: [{ text: 'Hm' }] };
  const sealed = { reasoning_details: [{ signature: 'c2ln' }] };
  const streamed = [delta, sealed].flatMap((own) => stream.push({ choices: [{ delta: own }] }));
  const contentsOf = (answers: readonly JsonObject[]): readonly JsonObject[] =>
    answers.flatMap((answer) => objectsAt(objectAt(answer, 'content'), 'parts'));
  const turns = [
    contentsOf(objectsAt({ candidates }, 'candidates')),
    contentsOf(streamed.flatMap((answer) => objectsAt(answer, 'candidates'))),
  ];
  for (const parts of turns) {
    const body = {
      contents: [
        { role: 'user', parts: [{ text: 'Where?' }] },
        { role: 'model', parts: [...parts, { functionCall: { name: 'look', args: {} } }] },
      ],
    };
    const back = await chatFromContents({ ...call, body, dialect: 'claude' });
    const blocks = [{ type: 'thinking', thinking: 'Hm', signature: 'c2ln' }];
    expect(back).toMatchObject({ messages: [{}, { thinking_blocks: blocks }] });
  }
});
