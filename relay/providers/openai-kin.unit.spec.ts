import { describe, expect, test } from 'vitest';
import {
  aChat,
  aContext,
  answered,
  requestOf,
  sentJson,
  streamed,
} from '../../tests/support/translation-play.ts';
import { aiProxyLibrary } from './aiproxy-library/translate.ts';
import { baiduV2 } from './baidu-v2/translate.ts';
import { fastGpt } from './fastgpt/translate.ts';
import { mokaAi } from './mokaai/translate.ts';
import { moonshot } from './moonshot/translate.ts';
import { openai } from './openai/index.ts';
import { volcEngine } from './volcengine/translate.ts';
import { xinference } from './xinference/translate.ts';

const context = (type: number, body = aChat(), endpoint?: string) =>
  aContext({
    body,
    channel: { type, base_url: type === 47 ? 'http://xin.example.com' : '' },
    ...(endpoint === undefined ? {} : { endpoint }),
  });

describe("quirks of providers with OpenAI's shapes", () => {
  test("Moonshot's usage inside the last choice counts", () => {
    const usage = { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11, cached_tokens: 3 };
    const produced = streamed(moonshot, context(25, aChat({ stream: true })), [
      { id: 'i', object: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] },
    ]);
    expect(produced.usage).toMatchObject({ promptTokens: 5, completionTokens: 6, cachedTokens: 3 });
  });

  test("FastGPT's steps are sent as members of separate chunks", () => {
    const produced = streamed(fastGpt, context(22, aChat({ stream: true, detail: true })), [
      'event: flowNodeStatus',
      { status: 'running', name: 'AI' },
      'event: answer',
      { id: 'i', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] },
      'event: answer',
      { id: 'i', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ]);
    expect(produced.folded.extras).toEqual({ flowNodeStatus: { status: 'running', name: 'AI' } });
    expect(produced.folded.choices[0]).toMatchObject({ texts: { content: 'Hi' }, finish: 'stop' });
  });

  test("FastGPT's error event ends the stream", () => {
    const produced = streamed(fastGpt, context(22, aChat({ stream: true })), [
      'event: error',
      { message: 'app is gone' },
    ]);
    expect(produced.error).toMatchObject({ message: 'app is gone' });
  });

  test.each([
    ['deepseek-v3-1-thinking', 'deepseek-v3-1', { type: 'enabled' }],
    ['doubao-1-5-thinking', 'doubao-1-5-thinking', undefined],
  ])("VolcEngine's %s goes up as %s", async (model, name, thinking) => {
    const sent = await sentJson(volcEngine, context(45, aChat({ model })));
    expect(sent.model).toBe(name);
    expect(sent.thinking).toEqual(thinking);
  });

  test('VolcEngine takes inputs with pictures on a path of their own', async () => {
    const body = { model: 'm', input: [{ type: 'text', text: 'a' }] };
    const request = await requestOf(volcEngine, context(45, body, '/v1/embeddings'));
    expect(new URL(request.url).pathname).toBe('/api/v3/embeddings/multimodal');
  });

  test('a search that the caller set up is not replaced by the suffix', async () => {
    const body = aChat({ model: 'ernie-search', web_search: { enable: false } });
    expect(await sentJson(baiduV2, context(46, body))).toMatchObject({
      model: 'ernie',
      web_search: { enable: false },
    });
  });

  test('a document that Xinference leaves out is filled in when it was requested', async () => {
    const body = {
      model: 'm',
      query: 'q',
      documents: ['a', { text: 'b' }],
      return_documents: true,
    };
    const produced = { results: [{ index: 1, relevance_score: 1, document: null }, { index: 0 }] };
    const reply = await answered(xinference, context(47, body, '/v1/rerank'), produced);
    expect(reply).toMatchObject({
      body: {
        results: [
          { index: 1, document: { text: 'b' } },
          { index: 0, document: 'a' },
        ],
      },
      usage: null,
    });
  });

  test('MokaAI keeps the name of its model', async () => {
    const body = { model: 'm3e-large', input: ['a', 'b'] };
    const call = context(44, body, '/v1/embeddings');
    expect(await sentJson(mokaAi, call)).toEqual(body);
  });

  test('a refusal of a knowledge base is an error, streamed or not', async () => {
    const no = { success: false, errCode: 1_001, message: 'no library' };
    const call = aContext({ body: aChat(), channel: { type: 21, other: '1' } });
    expect(await answered(aiProxyLibrary, call, no)).toMatchObject({ status: 502, code: 1_001 });
    expect(streamed(aiProxyLibrary, call, [no]).error).toMatchObject({ message: 'no library' });
  });
});

describe('OpenAI itself', () => {
  test('speech is returned as its bytes', async () => {
    const call = context(1, { model: 'tts-1', input: 'Hi' }, '/v1/audio/speech');
    const body = Buffer.from([0, 1, 255]);
    const reply = await openai.translate.reply(
      { status: 200, headers: { 'content-type': 'audio/mpeg' }, body },
      call,
    );
    expect(reply).toEqual({ status: 200, contentType: 'audio/mpeg', body, usage: null });
  });

  test.each([
    ['o1-mini', 'user'],
    ['o1', 'developer'],
    ['o3-mini', 'developer'],
    ['gpt-4o', 'system'],
  ])('%s gets instructions in the role %s', async (model, role) => {
    const messages = [{ role: 'system', content: 'S' }];
    const sent = await sentJson(openai.translate, context(1, aChat({ model, messages })));
    expect(sent.messages).toEqual([{ role, content: 'S' }]);
  });

  test('a chat model keeps its limit and its temperature', async () => {
    const body = aChat({ model: 'gpt-4o', max_tokens: 0, temperature: 0 });
    expect(await sentJson(openai.translate, context(1, body))).toEqual(body);
  });
});
