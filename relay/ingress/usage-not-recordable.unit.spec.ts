import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  aChannel,
  chatAnswer,
  chatBody,
  type Harness,
  json,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  usageOf,
} from '../../tests/support/relay/relay-harness.ts';

let relay: Harness;
let upstream: UpstreamSpy;
let answered: Promise<void> = Promise.resolve();
const answer = json(chatAnswer(usageOf(10, 5)));

beforeEach(async () => {
  relay = await startHarness({});
  upstream = await startUpstream(async (req, res, body) => {
    await answered;
    answer(req, res, body);
  });
  await relay.put.channel(aChannel(1, { baseUrl: upstream.url }));
});
afterEach(async () => {
  upstream.close();
  await relay.close();
});

const sentence = 'Usage cannot be recorded now, try again later';

test.each([
  ['/v1/chat/completions', { error: { code: 'usage_not_recordable', type: 'tollgate_error' } }],
  ['/v1/messages', { type: 'error', error: {} }],
  ['/v1beta/models/gpt-4o:generateContent', { error: { code: 503 } }],
  ['/suno/submit/music', { error: { code: 'usage_not_recordable' } }],
])('%s: a call that nothing could record is refused in its own protocol', async (path, shape) => {
  relay.journal.canRecord = false;
  const reply = await relay.send(path, chatBody());
  expect(reply.status).toBe(503);
  expect(reply.headers['retry-after']).toBe('5');
  const body = JSON.parse(reply.text);
  expect(body).toMatchObject(shape);
  expect(body.error.message).toContain(sentence);
  expect(upstream.requests).toEqual([]);
  expect(relay.journal.startedEntries).toEqual([]);
});

test('a call that was admitted before has its outcome recorded', async () => {
  let letGo = (): void => undefined;
  answered = new Promise((resolve) => {
    letGo = resolve;
  });
  const reply = relay.send('/v1/chat/completions', chatBody());
  await expect.poll(() => relay.journal.startedEntries.length).toBe(1);
  relay.journal.canRecord = false;
  letGo();
  expect((await reply).status).toBe(200);
  expect((await relay.journal.used()).usage).toMatchObject({ promptTokens: 10 });
});

test('what costs nothing is served all the same', async () => {
  relay.journal.canRecord = false;
  expect((await relay.get('/v1/models')).status).toBe(200);
});
