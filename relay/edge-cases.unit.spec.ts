import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  aChannel,
  anAccount,
  aToken,
  chatBody,
  json,
  rawKey,
  sse,
} from '../tests/support/relay/relay-harness.ts';
import { relayScene } from '../tests/support/relay/scene.ts';
import { aWave } from '../tests/support/sounds.ts';
import { countPromptTokens, countTokens } from './settlement/count-tokens.ts';

const scene = relayScene();

const chat = (more: object = {}, headers: Record<string, string> = {}) =>
  scene.relay.send('/v1/chat/completions', chatBody(more), headers);
const codeOf = (text: string): unknown => JSON.parse(text).error.code;

test.each([
  ['/v1/chat/completions', { max_completion_tokens: 1e300 }],
  ['/v1/messages', { max_tokens: 9e15 }],
])('a limit beyond all measure on %s reserves much instead of nothing', async (path, limit) => {
  scene.relay.leases.funds = 1_000_000;
  const reply = await scene.relay.send(path, chatBody(limit));
  expect([400, 429]).toContain(reply.status);
  expect(scene.relay.journal.startedEntries).toHaveLength(0);
  expect(scene.relay.leases.funds).toBe(1_000_000);
});

test('a pinned channel does not open models that the key may not use', async () => {
  await scene.relay.put.account(anAccount({ role: 10 }));
  await scene.relay.put.token(rawKey, aToken({ modelLimits: ['another'] }));
  const reply = await chat({}, { authorization: `Bearer sk-${rawKey}-1` });
  expect([reply.status, codeOf(reply.text)]).toEqual([403, 'model_not_allowed']);
});

test('an address list that cannot be parsed admits no caller', async () => {
  await scene.relay.put.token(rawKey, aToken({ allowIps: ['not an address'] }));
  expect((await chat()).status).toBe(403);
});

test('every tool of a prompt is counted', async () => {
  const tool = (name: string) => ({
    type: 'function',
    function: { name, description: 'x '.repeat(50) },
  });
  const body = (tools: readonly object[]) => Buffer.from(chatBody({ tools }));
  const one = await countPromptTokens(body([tool('a')]), 'gpt-4o');
  const two = await countPromptTokens(body([tool('a'), tool('b')]), 'gpt-4o');
  expect(two).toBeGreaterThan(one + 40);
});

test('embeddings whose provider names the total alone are paid', async () => {
  scene.answer = json({ object: 'list', data: [], usage: { total_tokens: 12 } });
  const body = JSON.stringify({ model: 'text-embedding-3-small', input: 'Hello' });
  await scene.relay.send('/v1/embeddings', body);
  expect((await scene.relay.journal.used()).usage.promptTokens).toBe(12);
});

test('a body that unpacks beyond the limit is refused before it fills the memory', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1_048_576), { level: 1 });
  const before = process.memoryUsage().arrayBuffers;
  const reply = await scene.relay.send('/v1/chat/completions', bomb, {
    'content-encoding': 'gzip',
  });
  expect(reply.status).toBe(413);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1_048_576);
});

test('a rewritten answer has its own content length, and no header of the provider', async () => {
  await scene.relay.put.channel(aChannel(1, { type: 14, baseUrl: scene.upstream.url }));
  scene.answer = (_req, res) => {
    const text = JSON.stringify({
      type: 'message',
      content: [{ type: 'text', text: 'Hi' }],
      usage: { input_tokens: 1, output_tokens: 1 },
    });
    res.writeHead(200, { 'content-type': 'application/json', 'x-secret': 'theirs' }).end(text);
  };
  const reply = await chat();
  expect(Number(reply.headers['content-length'])).toBe(reply.body.length);
  expect(reply.headers['x-secret']).toBeUndefined();
});

test('any site may call with a key, and none with the cookies of a person', async () => {
  const reply = await chat({}, { origin: 'https://elsewhere.test' });
  expect(reply.headers['access-control-allow-origin']).toBe('*');
  expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
});

test('a kind of call that a provider does not offer costs nothing and breaks nothing', async () => {
  await scene.relay.put.channel(aChannel(1, { type: 37, baseUrl: scene.upstream.url }));
  const body = JSON.stringify({ model: 'gpt-4o-mini', query: 'a', documents: ['b'] });
  const reply = await scene.relay.send('/v1/rerank', body);
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect(scene.upstream.requests).toHaveLength(0);
  expect(scene.relay.leases.open).toBe(0);
});

test('keys that begin with any letter are found, whatever precedes them', async () => {
  for (const letter of ['s', 'k', 'sk', 'x']) {
    const key = letter.padEnd(48, 'z');
    await scene.relay.put.token(key, aToken({ tokenId: 9 }));
    expect((await chat({}, { authorization: `Bearer sk-${key}` })).status).toBe(200);
    expect((await chat({}, { authorization: key })).status).toBe(200);
  }
});

const transcribe = async (sound: Buffer) => {
  const form = new FormData();
  form.set('model', 'whisper-1');
  form.set('file', new Blob([new Uint8Array(sound)]), 'sound');
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  const body = Buffer.from(await encoded.arrayBuffer());
  return scene.relay.send('/v1/audio/transcriptions', body, { 'content-type': type });
};
const listener = () =>
  scene.relay.put.channel(aChannel(1, { baseUrl: scene.upstream.url, models: ['whisper-1'] }));

test('the length of audio is measured before its provider is called, so that a caller without funds is refused', async () => {
  await listener();
  scene.relay.leases.funds = 100;
  const reply = await transcribe(aWave(100));
  expect([reply.status, codeOf(reply.text)]).toEqual([429, 'insufficient_quota']);
  expect(scene.upstream.requests).toEqual([]);
});

test('audio of unmeasurable length is paid by its size and sent once', async () => {
  await listener();
  await scene.relay.put.option('RetryTimes', '3');
  scene.answer = json({ text: 'Hello there' });
  expect((await transcribe(Buffer.alloc(240_000, 7))).status).toBe(200);
  expect(scene.upstream.requests).toHaveLength(1);
  const { usage, usageSource } = await scene.relay.journal.used();
  expect([usage.promptTokens, usageSource]).toEqual([1_000, 'counted']);
});

test.each([false, true])(
  'words of Dify without a report are counted, streamed %s',
  async (stream) => {
    const words = 'The gate is open. '.repeat(30);
    await scene.relay.put.channel(aChannel(1, { type: 37, baseUrl: scene.upstream.url }));
    const events = [{ event: 'message', answer: words }, { event: 'message_end' }];
    scene.answer = stream
      ? sse(events.map((event) => `data: ${JSON.stringify(event)}\n\n`))
      : json({ event: 'message', answer: words });
    expect((await chat({ stream })).status).toBe(200);
    const { usage, usageSource } = await scene.relay.journal.used();
    expect(usageSource).toBe('counted');
    expect(usage.completionTokens).toBe(await countTokens(words, 'gpt-4o-mini'));
  },
);

test.each([false, true])(
  'searches are paid as made, not as declared, streamed %s',
  async (stream) => {
    const search = { type: 'file_search_call', id: 'fs_1', status: 'completed' };
    const output = [search, { ...search, id: 'fs_2' }];
    const usage = { input_tokens: 30, output_tokens: 5, total_tokens: 35 };
    const response = { id: 'r', object: 'response', status: 'completed', output, usage };
    const event = (data: { type: string; [member: string]: unknown }) =>
      `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
    scene.answer = stream
      ? sse([
          ...output.map((item) => event({ type: 'response.output_item.done', item })),
          event({ type: 'response.completed', response }),
        ])
      : json(response);
    const tools = [{ type: 'file_search' }, { type: 'web_search_preview' }];
    await scene.relay.send(
      '/v1/responses',
      JSON.stringify({ model: 'gpt-4o-mini', input: 'Hello', tools, stream }),
    );
    const used = await scene.relay.journal.used();
    expect(used.usage).toMatchObject({ promptTokens: 30, completionTokens: 5, fileSearches: 2 });
    expect(used.usage.webSearches ?? 0).toBe(0);
  },
);

test('a missing model is reported as missing when it is requested by name', async () => {
  expect((await scene.relay.get('/v1/models/gpt-4o-mini')).status).toBe(200);
  const reply = await scene.relay.get('/v1/models/unheard-of');
  expect([reply.status, codeOf(reply.text)]).toEqual([404, 'model_not_found']);
});

test.each([401, 200])(
  'the key of a channel in the words of its provider is hidden, status %i',
  async (status) => {
    scene.answer = json({ error: { message: 'Wrong key: upstream-key-1, ask the owner' } }, status);
    const reply = await chat();
    expect(reply.text).toContain('Wrong key: [key], ask the owner');
    expect((await scene.relay.journal.failed()).message).toBe('Wrong key: [key], ask the owner');
  },
);
