import { beforeEach, expect, test } from 'vitest';
import {
  type Answer,
  chatAnswer,
  chatBody,
  chunkEvent,
  doneEvent,
  rawKey,
  usageOf,
} from '../support/relay/relay-harness.ts';
import { relayScene } from '../support/relay/scene.ts';

const scene = relayScene();

const labelled =
  (contentType: string, body: string | Buffer): Answer =>
  (_req, res) => {
    res.writeHead(200, { 'content-type': contentType }).end(body);
  };

const expectNoPage = (headers: Readonly<Record<string, unknown>>): void => {
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
};

const page = '<script>fetch("/api/user/self")</script>';
const model = 'gpt-4o-mini';
const chat = JSON.stringify(chatAnswer(usageOf(10, 5)));
const vectors = JSON.stringify({ object: 'list', data: [], usage: usageOf(1, 0) });
const events = [chunkEvent('hello'), doneEvent].join('');
const hostile = ['text/html', 'text/html; charset=utf-8', 'image/svg+xml', 'application/xhtml+xml'];

const chatRequest = { messages: [{ role: 'user', content: 'x' }] };
const speechRequest = { model: 'tts-1', input: 'x', voice: 'alloy' };
const pictureRequest = { model: 'dall-e-3', prompt: 'x' };

beforeEach(async () => {
  const models = [model, 'text-embedding-3-small', 'tts-1', 'dall-e-3'];
  await scene.relay.put.option(
    'ModelRatio',
    '{"tts-1":7.5,"gpt-4o-mini":0.075,"text-embedding-3-small":0.01}',
  );
  await scene.relay.put.option('ModelPrice', '{"dall-e-3":0.04}');
  await scene.put({ models });
});

test.each([
  ['/v1/chat/completions', chatRequest, chat, 'application/json'],
  ['/v1/chat/completions', { ...chatRequest, stream: true }, events, 'text/event-stream'],
  ['/v1/embeddings', { model: 'text-embedding-3-small', input: 'x' }, vectors, 'application/json'],
  ['/v1/images/generations', pictureRequest, '{"data":[{"b64_json":"eA=="}]}', 'application/json'],
  ['/v1/audio/speech', speechRequest, page, 'application/octet-stream'],
])(
  '%s %j: an answer labelled as a page has a type of its operation',
  async (path, body, answer, type) => {
    for (const label of hostile) {
      scene.answer = labelled(label, answer);
      const reply = await scene.relay.send(path, JSON.stringify({ model, ...body }));
      expect([label, reply.status, reply.headers['content-type']]).toEqual([label, 200, type]);
      expectNoPage(reply.headers);
    }
  },
);

test.each([
  ['/v1/audio/speech', 'audio/L16; rate=24000', speechRequest],
  ['/v1/audio/speech', 'audio/mpeg', speechRequest],
  ['/v1/images/generations', 'image/png', pictureRequest],
  ['/v1/chat/completions', 'application/json; charset=utf-8', { model, ...chatRequest }],
])('%s: the type %s is passed on', async (path, type, body) => {
  scene.answer = labelled(type, chat);
  const reply = await scene.relay.send(path, JSON.stringify(body));
  expect(reply.headers['content-type']).toBe(type);
  expectNoPage(reply.headers);
});

test('errors, lists, counts and answers to preflights run no script', async () => {
  scene.answer = (_req, res) => {
    res.writeHead(400, { 'content-type': 'text/html' }).end(page);
  };
  const bad = await scene.chat();
  expect(bad.status).toBe(400);
  expect(bad.headers['content-type']).toBe('application/json');
  const replies = [
    bad,
    await scene.relay.get('/v1/models'),
    await scene.relay.get('/v1beta/models'),
    await scene.relay.get(`/v1/models/${model}`),
    await scene.relay.get('/v1/unknown'),
    await scene.relay.get('/v1/models', { authorization: 'Bearer sk-none' }),
    await scene.relay.get('/mj/image/none'),
    await scene.relay.get('/mj/task/none/fetch'),
    await scene.relay.get('/v1/videos'),
    await scene.relay.get('/v1/files/none/content'),
    await scene.relay.send('/pg/chat/completions', chatBody()),
    await scene.relay.send('/v1/messages/count_tokens', chatBody()),
  ];
  for (const { headers } of replies) expectNoPage(headers);
});

test('a page of any site cannot open an address with a key in it', async () => {
  const path = `/v1beta/models/${model}:generateContent?key=${rawKey}`;
  const body = JSON.stringify({ contents: [{ parts: [{ text: 'x' }] }] });
  const navigation = { authorization: '', 'sec-fetch-mode': 'navigate' };
  const refused = await scene.relay.send(path, body, navigation);
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('send the key in a header');
  expectNoPage(refused.headers);
  expect(scene.upstream.requests).toHaveLength(0);
  const fetched = { authorization: '', 'sec-fetch-mode': 'cors' };
  expect((await scene.relay.send(path, body, fetched)).status).toBe(200);
});
