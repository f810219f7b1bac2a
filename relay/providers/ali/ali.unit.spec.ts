import { describe, expect, test } from 'vitest';
import {
  aChat,
  aContext,
  answered,
  requestOf,
  sentJson,
} from '../../../tests/support/translation-play.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { ali } from './translate.ts';

const channel = { type: 17, key: 'sk' };
const sent = (body: JsonObject): Promise<JsonObject> => sentJson(ali, aContext({ body, channel }));
const endpoint = '/v1/images/generations';
const image = (members: JsonObject = {}): JsonObject => ({
  model: 'wanx-v1',
  prompt: 'cat',
  ...members,
});
const task = (status: string, members: object = {}) => ({
  output: { task_id: 't/1', task_status: status, ...members },
});

describe('a chat for Qwen', () => {
  test('the search suffix is cut and requests a search', async () => {
    expect(await sent(aChat({ model: 'qwen-max-internet' }))).toMatchObject({
      model: 'qwen-max',
      enable_search: true,
    });
  });

  test.each([
    [0, 0.001],
    [1, 0.999],
    [0.5, 0.5],
  ])('top_p %d goes up as %d', async (given, taken) => {
    expect(await sent(aChat({ top_p: given }))).toMatchObject({ top_p: taken });
  });

  test.each([
    ['qwen3-32b', {}, false],
    ['qwen3-235b-a22b', {}, false],
    ['qwen3-32b', { stream: true }, undefined],
    ['qwen3-32b', { enable_thinking: true }, true],
    ['qwen-max', {}, undefined],
    ['qwen3-235b-a22b-thinking-2507', {}, undefined],
  ])('%s with %o gets the switch for thinking', async (model, members, thinks) => {
    expect((await sent(aChat({ model, ...members }))).enable_thinking).toBe(thinks);
  });

  test('cache reads and writes are both counted', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 5,
      total_tokens: 105,
      prompt_tokens_details: { cached_tokens: 60, cache_creation_input_tokens: 30 },
    };
    const produced = {
      choices: [{ index: 0, message: { content: 'x' }, finish_reason: 'stop' }],
      usage,
    };
    expect(await answered(ali, aContext({ body: aChat(), channel }), produced)).toMatchObject({
      body: { usage },
      usage: { promptTokens: 100, cachedTokens: 60, cacheCreationTokens: 30 },
    });
  });
});

describe('pictures of DashScope', () => {
  test('parameters of the provider are sent with size and number', async () => {
    const body = image({ size: '1024x768', n: 2, negative_prompt: 'dog', seed: 0, steps: 20 });
    expect(await sentJson(ali, aContext({ body, endpoint, channel }))).toEqual({
      model: 'wanx-v1',
      input: { prompt: 'cat', negative_prompt: 'dog' },
      parameters: { size: '1024*768', n: 2, seed: 0, steps: 20 },
    });
  });

  test('newer models are called on the path for mixed content and answer at once', async () => {
    const body = image({ model: 'qwen-image', image: 'https://e.example/0.png' });
    const context = aContext({ body, endpoint, channel });
    const request = await requestOf(ali, context);
    expect(request.url).toContain('/api/v1/services/aigc/multimodal-generation/generation');
    expect(request.headers).not.toHaveProperty('x-dashscope-async');
    expect(JSON.parse(String(request.body)).input).toEqual({
      messages: [
        { role: 'user', content: [{ image: 'https://e.example/0.png' }, { text: 'cat' }] },
      ],
    });
    const content = [{ image: 'https://e.example/1.png' }];
    const reply = await answered(ali, context, { output: { choices: [{ message: { content } }] } });
    expect(reply).toMatchObject({ body: { data: [{ url: 'https://e.example/1.png' }] } });
  });

  test('pictures requested as data are fetched, failed ones left out', async () => {
    const results = [{ url: 'https://e.example/1.png' }, { code: 'X', message: 'no' }];
    const answers = [task('SUCCEEDED', { results }), { base64: 'AAEC', content_type: 'image/png' }];
    const body = image({ response_format: 'b64_json' });
    const context = aContext({ body, endpoint, channel, answers });
    const reply = await answered(ali, context, task('PENDING'));
    expect(reply).toMatchObject({ body: { data: [{ b64_json: 'AAEC' }] } });
    expect(context.io.pauses).toEqual([3_000]);
    expect(context.io.sent[0]?.url).toBe('https://dashscope.aliyuncs.com/api/v1/tasks/t%2F1');
  });

  test('a task that fails is an error with the words of the provider', async () => {
    const failed = task('FAILED', { code: 'DataInspectionFailed', message: 'bad' });
    const context = aContext({ body: image(), endpoint, channel, answers: [failed] });
    expect(await answered(ali, context, task('RUNNING'))).toMatchObject({
      status: 400,
      code: 'DataInspectionFailed',
      message: 'bad',
    });
  });

  test('a task that does not end within a minute is given up', async () => {
    const answers = Array(30).fill(task('RUNNING'));
    const context = aContext({ body: image(), endpoint, channel, answers });
    expect(await answered(ali, context, task('PENDING'))).toMatchObject({ status: 502 });
    expect(context.io.pauses).toHaveLength(20);
  });
});

describe('rankings and vectors of DashScope', () => {
  test("a ranking is requested and answered in the provider's form", async () => {
    const body = {
      model: 'gte-rerank',
      query: 'q',
      documents: ['a', 'b'],
      top_n: 1,
      return_documents: true,
    };
    const context = aContext({ body, endpoint: '/v1/rerank', channel });
    expect(await sentJson(ali, context)).toEqual({
      model: 'gte-rerank',
      input: { query: 'q', documents: ['a', 'b'] },
      parameters: { return_documents: true, top_n: 1 },
    });
    const reply = await answered(ali, context, {
      output: { results: [{ index: 1, relevance_score: 0.5 }] },
      usage: { total_tokens: 9 },
    });
    expect(reply).toMatchObject({
      body: { results: [{ index: 1, relevance_score: 0.5, document: 'b' }] },
      usage: { promptTokens: 9, completionTokens: 0 },
    });
  });

  test('vectors are in the order of the texts, in the requested encoding', async () => {
    const body = {
      model: 'text-embedding-v3',
      input: ['a', 'b'],
      dimensions: 1,
      encoding_format: 'base64',
    };
    const context = aContext({ body, endpoint: '/v1/embeddings', channel });
    expect(await sentJson(ali, context)).toMatchObject({ parameters: { dimension: 1 } });
    const embeddings = [
      { text_index: 1, embedding: [2] },
      { text_index: 0, embedding: [1] },
    ];
    const reply = await answered(ali, context, {
      output: { embeddings },
      usage: { total_tokens: 2 },
    });
    expect(reply).toMatchObject({
      body: { data: [{ embedding: 'AACAPw==' }, { embedding: 'AAAAQA==' }] },
    });
  });

  test('token ids are refused', async () => {
    const body = { model: 'text-embedding-v1', input: [[1, 2]] };
    const made = await ali.request(aContext({ body, endpoint: '/v1/embeddings', channel }));
    expect(made).toMatchObject({ status: 400 });
  });
});
