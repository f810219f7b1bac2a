import { expect, test } from 'vitest';
import { aChannel, json, sealedFor } from '../../../tests/support/relay/relay-harness.ts';
import { relayScene } from '../../../tests/support/relay/scene.ts';
import type { JsonObject } from '../../protocol/canonical.ts';

const scene = relayScene({ usual: json({}), hasChannel: false });

const put = async (model: string): Promise<void> => {
  await scene.relay.put.option('ModelRatio', JSON.stringify({ [model]: 1 }));
  await scene.relay.put.channel({
    ...aChannel(1, { type: 33, baseUrl: scene.upstream.url, models: [model] }),
    sealedKey: sealedFor(1, 'access|secret|us-east-1'),
  });
};
const post = async (path: string, body: JsonObject): Promise<ReturnType<typeof JSON.parse>> => {
  await put(String(body.model));
  return JSON.parse((await scene.relay.send(path, JSON.stringify(body))).text);
};

test('Titan embeds a text, and is paid for the tokens that it counts', async () => {
  scene.answer = json({ embedding: [0.5, -1], inputTextTokenCount: 4 });
  const model = 'amazon.titan-embed-text-v2:0';
  const reply = await post('/v1/embeddings', { model, input: ['a gate'], dimensions: 256 });
  expect(reply).toMatchObject({
    data: [{ index: 0, embedding: [0.5, -1] }],
    usage: { prompt_tokens: 4, total_tokens: 4 },
  });
  const [request] = scene.upstream.requests;
  expect(request?.path).toBe('/model/amazon.titan-embed-text-v2%3A0/invoke');
  expect(request?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=access\//);
  expect(scene.sent()).toEqual({ inputText: 'a gate', dimensions: 256 });
  expect((await scene.relay.journal.used()).usage).toMatchObject({ promptTokens: 4 });
  const two = await post('/v1/embeddings', { model, input: ['a', 'b'] });
  expect(two.error.message).toContain(`${model} embeds one text in a call`);
  expect(scene.upstream.requests).toHaveLength(1);
});

test('Cohere embeds texts there, paid for what the host counts', async () => {
  scene.answer = (_req, res) => {
    const headers = { 'x-amzn-bedrock-input-token-count': '9' };
    res.writeHead(200, headers).end(JSON.stringify({ embeddings: { float: [[1], [2]] } }));
  };
  const model = 'cohere.embed-v4:0';
  const reply = await post('/v1/embeddings', { model, input: ['a', 'b'] });
  expect(reply.data).toMatchObject([{ embedding: [1] }, { embedding: [2] }]);
  expect(scene.sent()).toEqual({
    ...{ texts: ['a', 'b'], input_type: 'search_document', embedding_types: ['float'] },
  });
  expect((await scene.relay.journal.used()).usage).toMatchObject({ promptTokens: 9 });
});

test.each([
  ['cohere.rerank-v3-5:0', { api_version: 2 }],
  ['amazon.rerank-v1:0', {}],
])('%s ranks documents', async (model, more) => {
  scene.answer = json({ results: [{ index: 1, relevance_score: 0.9 }] });
  const documents = ['a door', 'a gate'];
  const reply = await post('/v1/rerank', { model, query: 'gate', documents, top_n: 1 });
  expect(reply.results).toEqual([{ index: 1, relevance_score: 0.9 }]);
  expect(scene.sent()).toEqual({ query: 'gate', documents, top_n: 1, ...more });
  expect((await scene.relay.journal.used()).usage?.promptTokens).toBeGreaterThan(4);
});

test('Nova draws pictures in the requested size, number and quality', async () => {
  scene.answer = json({ images: ['QQ==', 'QkI='] });
  const model = 'amazon.nova-canvas-v1:0';
  const asked = { prompt: 'a gate', n: 2, size: '1024x512', quality: 'hd' };
  const reply = await post('/v1/images/generations', { model, ...asked });
  expect(reply.data).toEqual([{ b64_json: 'QQ==' }, { b64_json: 'QkI=' }]);
  expect(scene.sent()).toEqual({
    taskType: 'TEXT_IMAGE',
    textToImageParams: { text: 'a gate' },
    imageGenerationConfig: { numberOfImages: 2, width: 1_024, height: 512, quality: 'premium' },
  });
  expect(scene.relay.journal.outcomes).toHaveLength(1);
  scene.answer = json({ images: [], error: 'content filters' });
  expect((await post('/v1/images/generations', { model, ...asked })).error.message).toContain(
    'content filters',
  );
});

test.each([
  ['/v1/embeddings', { input: 'a' }, 'embeds no texts'],
  ['/v1/rerank', { query: 'a', documents: ['b'] }, 'ranks no documents'],
  ['/v1/images/generations', { prompt: 'a' }, 'makes no pictures'],
])('a model that cannot answer %s is not called', async (path, body, words) => {
  const model = 'claude-3-haiku-20240307';
  expect((await post(path, { model, ...body })).error.message).toContain(`${model} ${words}`);
  expect(scene.upstream.requests).toHaveLength(0);
});
