import { expect, test } from 'vitest';
import { sseText, translating } from '../../../tests/support/vectors/translating.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { cleanParameters, cleanSchema } from '../shared/gemini/schema.ts';
import { suffixPlan } from '../shared/gemini/thinking.ts';
import { gemini } from './translate.ts';

const google = translating(gemini, 24);
const model = 'gemini-2.5-flash';
const user = { role: 'user', content: 'Hi' };
const call = (more: JsonObject = {}): Readonly<{ body: JsonObject }> => ({
  body: { model, messages: [user], ...more },
});
const candidate = (parts: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { parts }, finishReason: 'STOP', index: 0, ...more }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
});

test('stop words, number of answers, penalties and zeros reach the provider', async () => {
  const body = await google.up(
    call({ stop: 'END', n: 2, presence_penalty: 0, top_p: 0, max_completion_tokens: 9 }),
  );
  expect(body.generationConfig).toMatchObject({
    stopSequences: ['END'],
    candidateCount: 2,
    presencePenalty: 0,
    topP: 0,
    maxOutputTokens: 9,
  });
});

test('generation settings in the own words of the provider win', async () => {
  const own = { thinkingConfig: { thinkingBudget: 7 }, mediaResolution: 'LOW' };
  const body = await google.up(call({ generationConfig: own, cachedContent: 'cachedContents/1' }));
  expect(body).toMatchObject({ generationConfig: own, cachedContent: 'cachedContents/1' });
});

test.each([
  ['gemini-2.5-pro', 30_000, 24_576],
  ['gemini-2.5-pro', 0, 128],
  ['gemini-2.5-flash', 30_000, 24_576],
  ['gemini-2.5-flash', 0, 0],
])('%s thinks within its budget: %i of -thinking-<n> becomes %i', (name, wanted, given) => {
  const limits = { maxTokens: 0, thinkingBudgetShare: 0.6, thinkingAdapter: true };
  const { thinking } = suffixPlan(`${name}-thinking-${wanted}`, limits);
  expect(thinking).toMatchObject({ thinkingBudget: given });
});

test('results of parallel calls share one turn and are found by their ids', async () => {
  const made = (id: string, name: string): JsonObject => ({
    id,
    type: 'function',
    function: { name, arguments: '' },
  });
  const result = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'ok' });
  const messages = [
    user,
    { role: 'assistant', content: null, tool_calls: [made('a', 'one'), made('b', 'two')] },
    result('a'),
    result('b'),
  ];
  const body = await google.up(call({ messages }));
  expect(body.contents).toMatchObject([
    { role: 'user' },
    { role: 'model', parts: [{ functionCall: { name: 'one', args: {} } }, {}] },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'one', response: { content: 'ok' } } },
        { functionResponse: { name: 'two' } },
      ],
    },
  ]);
});

test('a thought signature is returned with its call', async () => {
  const part = { functionCall: { name: 'one', args: { a: 1 } }, thoughtSignature: 'sig' };
  const reply = await google.down(candidate([part]), call());
  if (!('body' in reply) || Buffer.isBuffer(reply.body)) throw new Error('no body');
  const [choice] = reply.body.choices as readonly JsonObject[];
  const body = await google.up(call({ messages: [user, choice?.message] }));
  expect(body.contents).toMatchObject([{}, { parts: [part] }]);
});

test.each([
  ['gemini-3-pro-preview', 'skip_thought_signature_validator'],
  ['gemini-2.5-flash', undefined],
])('%s gets a history of another maker with the signature %s', async (name, signature) => {
  const made = (id: string): JsonObject => ({
    id,
    type: 'function',
    function: { name: 'one', arguments: '{}' },
  });
  const signed = { ...made('c'), extra_content: { google: { thought_signature: 'own' } } };
  const result = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'ok' });
  const messages = [
    user,
    { role: 'assistant', content: null, tool_calls: [made('a'), made('b')] },
    ...[result('a'), result('b')],
    { role: 'assistant', content: null, tool_calls: [signed] },
    result('c'),
  ];
  const { contents } = await google.up(call({ model: name, messages }));
  const signatures = (contents as readonly JsonObject[])
    .filter(({ role }) => role === 'model')
    .map(({ parts }) => (parts as readonly JsonObject[]).map((part) => part.thoughtSignature));
  expect(signatures).toEqual([[signature, undefined], ['own']]);
});

test('text parts are joined without anything between them, whole and streamed', async () => {
  const parts = [{ text: 'Hel' }, { text: 'lo' }];
  const reply = await google.down(candidate(parts), call());
  expect(reply).toMatchObject({ body: { choices: [{ message: { content: 'Hello' } }] } });
  const { produced } = google.streamed(sseText([candidate(parts)]), call({ stream: true }));
  expect(produced.choices['0']?.texts.content).toBe('Hello');
});

test('thoughts and what tools brought in are part of the bill', async () => {
  const usageMetadata = {
    promptTokenCount: 10,
    toolUsePromptTokenCount: 5,
    candidatesTokenCount: 2,
    thoughtsTokenCount: 40,
    cachedContentTokenCount: 4,
  };
  const reply = await google.down({ ...candidate([{ text: 'x' }]), usageMetadata }, call());
  expect(reply).toMatchObject({
    usage: { promptTokens: 15, completionTokens: 42, cachedTokens: 4 },
  });
});

test('a stream without usage reports none, so that the gateway counts', () => {
  const { usage, error } = google.streamed(
    sseText([{ ...candidate([{ text: 'x' }]), usageMetadata: undefined }]),
    call({ stream: true }),
  );
  expect(error).toBeNull();
  expect(usage).toBeNull();
});

test('streamed calls are counted over the whole stream and finish as tool calls', () => {
  const part = (name: string): JsonObject => ({ functionCall: { name, args: {} } });
  const first = candidate([part('one')], { finishReason: undefined });
  const { produced } = google.streamed(
    sseText([first, candidate([part('two')])]),
    call({ stream: true }),
  );
  expect(produced.choices['0']).toMatchObject({
    finish: 'tool_calls',
    calls: { 0: { name: 'one' }, 1: { name: 'two' } },
  });
});

test('a safety stop, a call broken off and a broken stream are each reported as such', async () => {
  const stopped = await google.down(candidate([{ text: 'x' }], { finishReason: 'SAFETY' }), call());
  expect(stopped).toMatchObject({ body: { choices: [{ finish_reason: 'content_filter' }] } });
  const broken = candidate([], { finishReason: 'MALFORMED_FUNCTION_CALL' });
  expect(await google.down(broken, call())).toMatchObject({ status: 502 });
  const half = candidate([{ text: 'x' }], { finishReason: undefined });
  expect(google.streamed(sseText([half]), call({ stream: true })).error).toMatchObject({
    code: 'stream_interrupted',
  });
});

test('pictures in an answer are where readers of pictures expect them', async () => {
  const inlineData = { mimeType: 'image/png', data: 'iVBORw0KGgo=' };
  const url = 'data:image/png;base64,iVBORw0KGgo=';
  expect(await google.down(candidate([{ inlineData }]), call())).toMatchObject({
    body: { choices: [{ message: { images: [{ type: 'image_url', image_url: { url } }] } }] },
  });
});

test('audio and files by their data become inline data of their kind', async () => {
  const content = [
    { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
    { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERg==' } },
  ];
  const body = await google.up(call({ messages: [{ role: 'user', content }] }));
  expect(body.contents).toMatchObject([
    {
      parts: [
        { inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } },
        { inlineData: { mimeType: 'application/pdf', data: 'JVBERg==' } },
      ],
    },
  ]);
});

test('a schema keeps its meaning in the smaller language of the provider', () => {
  const schema = {
    $schema: 'x',
    type: 'object',
    $defs: { Name: { type: 'string', minLength: 1, title: 'T' } },
    properties: {
      title: { $ref: '#/$defs/Name' },
      age: { type: ['integer', 'null'] },
      nick: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      kind: { const: 'a' },
      when: { type: 'string', format: 'date-time' },
    },
    additionalProperties: false,
  };
  expect(cleanSchema(schema)).toEqual({
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1 },
      age: { type: 'integer', nullable: true },
      nick: { type: 'string', nullable: true },
      kind: { enum: ['a'] },
      when: { type: 'string', format: 'date-time' },
    },
  });
});

test('a schema that contains itself ends', () => {
  const node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } };
  const schema = { $ref: '#/$defs/Node', $defs: { Node: node } };
  expect(cleanSchema(schema)).toEqual({
    type: 'object',
    properties: { next: {} },
  });
  expect(cleanParameters({ type: 'object', properties: {} })).toBeUndefined();
});

test('one text is embedded alone and returned in the requested encoding', async () => {
  const endpoint = '/v1/embeddings';
  const body = { model: 'text-embedding-004', input: 'a', encoding_format: 'base64' };
  expect(await google.up({ body, endpoint })).toMatchObject({
    content: { parts: [{ text: 'a' }] },
  });
  const reply = await google.down({ embedding: { values: [1] } }, { body, endpoint });
  expect(reply).toMatchObject({ body: { data: [{ embedding: 'AACAPw==' }] } });
});
